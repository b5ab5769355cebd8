import type { ImportRefusal } from '../domain/account-import.js'
import { pipe, TE } from '../fp.js'
import type { ComparedData } from '../ports/account-imports.js'
import type { Ports } from '../ports/index.js'
import type { PortResult } from '../ports/port-failure.js'
import type {
  AccountAlreadyImported,
  AccountMarkedToSkip,
  ProcessingRefused,
  UseCaseResult,
} from './errors.js'

/** Seconds until a retry makes sense: most accounts are created in less. */
export const retryAfterSeconds = 1

type ImportPorts = Pick<Ports, 'accountImports'>

/**
 * Whether accounts were created from that data, for each outcome `already_imported`; reads nothing if there is none.
 * `compared` and `outcomes` have the same order.
 */
export const sameDataOf = (
  { accountImports }: ImportPorts,
  compared: readonly ComparedData[],
  outcomes: readonly Readonly<{ _tag: string }>[],
): PortResult<readonly (boolean | undefined)[]> => {
  const exists = outcomes.map(({ _tag }) => _tag === 'already_imported')
  if (!exists.includes(true)) return TE.right([])
  return pipe(
    accountImports.sameData(compared.filter((_, index) => exists[index])),
    TE.map((found) => {
      const rest = found.values()
      return exists.map((each): boolean | undefined => (each ? rest.next().value : undefined))
    }),
  )
}

type Settled = AccountAlreadyImported | AccountMarkedToSkip

/** The refusal of an account that is not in progress. */
export const settled = (
  refusal: Exclude<ImportRefusal, { _tag: 'in_progress' }>,
  externalAccountNumber: string,
  sameData: boolean | undefined,
): Settled => {
  if (refusal._tag === 'marked_to_skip') return { _tag: 'AccountMarkedToSkip' }
  const { platformAccountNumber } = refusal
  return { _tag: 'AccountAlreadyImported', externalAccountNumber, platformAccountNumber, sameData }
}

/** Refuses to process the import; a live claim may be retried. */
export const refuseProcessing = (
  ports: ImportPorts,
  { key }: Pick<ComparedData, 'key'>,
  refusal: ImportRefusal,
): UseCaseResult<ProcessingRefused, never> =>
  refusal._tag === 'in_progress'
    ? TE.left({ _tag: 'AccountProcessedElsewhere', retryAfterSeconds })
    : pipe(
        sameDataOf(ports, [{ key }], [refusal]),
        TE.flatMap(([sameData]) => TE.left(settled(refusal, key.externalAccountNumber, sameData))),
      )
