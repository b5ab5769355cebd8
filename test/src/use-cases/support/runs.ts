import {
  type BulkLine,
  type ImportRuns,
  portFailure,
  type PortResult,
  type UseCases,
} from '@account-import/core'
import { E, type Either, makeUseCases } from '@account-import/core/fp'
import { changed, leastText, organisation, processGas, right, type service } from './service.js'

export type Service = Awaited<ReturnType<typeof service>>

export const source = { name: 'accounts.ndjson', sha256: 'ab'.repeat(32) }

export const open = (useCases: UseCases, more: object = {}) =>
  right(
    useCases.openImportRun({
      organisation,
      payload: { import_supplier: 'LEVANTE', ...more },
      by: { who: 'key k1' },
    }),
  )

export const least = (number: string, more: object = {}) => ({ ...JSON.parse(leastText(number)), ...more })

export const withoutCustomers = (number: string) => ({
  import_supplier: 'LEVANTE',
  external_account_number: number,
  customers: 'nobody',
})

export const stage = (useCases: UseCases, id: string, payload: object, firstLine?: number) =>
  useCases.stageAccount({ organisation, payload, importRun: { id, firstLine } })

export const process = (useCases: UseCases, id: string, number: string, more: object = {}) =>
  useCases.processAccount({
    organisation,
    payload: { ...processGas, external_account_number: number, ...more },
    importRun: { id },
  })

export const bulk = (...payloads: readonly (object | undefined)[]): readonly BulkLine[] =>
  payloads.map((payload, index) => ({
    line: index + 1,
    bytes: 2,
    json: async () => (payload === undefined ? E.left({ _tag: 'NotJson' as const }) : E.right({ payload })),
  }))

export type Results = AsyncIterable<
  readonly Readonly<{ outcome: E.Either<Readonly<{ _tag: string }>, unknown> }>[]
>

export const outcomesOf = async (started: Promise<Either<unknown, Results>>): Promise<readonly string[]> => {
  const outcomes: string[] = []
  for await (const page of await right(started))
    outcomes.push(...page.map(({ outcome }) => (E.isLeft(outcome) ? outcome.left._tag : 'done')))
  return outcomes
}

export const failuresOf = async ({ useCases }: Pick<Service, 'useCases'>, id: string) => {
  const { items } = await right(
    useCases.importRunFailures({ organisation, id, after: undefined, limit: 100 }),
  )
  return items.map(({ step, line, externalAccountNumber: number, code, findings }) =>
    [step, line ?? '-', number ?? '-', code, ...findings.map((each) => `${each.code} ${each.attr}`)].join(
      ' ',
    ),
  )
}

export const countsOf = async ({ useCases }: Pick<Service, 'useCases'>, id: string) =>
  (await right(useCases.importRun({ organisation, id }))).counts

export const tag = (refusal: Readonly<{ _tag: string }>): string => refusal._tag

/** The same service, whose store of runs does something else. */
export const withRuns = ({ ports }: Service, changes: Partial<ImportRuns>): UseCases =>
  makeUseCases(changed(ports, 'importRuns', changes))

export const away = async (operation: string): PortResult<never> =>
  E.left(portFailure('unavailable', 'importRuns', operation, new Error('away')))
