import test from 'ava'
import {
  type BulkLine,
  type BulkResult,
  defaultServiceSettings,
  makeUseCases,
  type Ports,
} from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import {
  changed,
  claimElsewhere,
  configuring,
  keyOf,
  organisation,
  pausing,
  processGas,
  refusalOf,
  right,
  sample,
  service,
} from './support/service.js'

const operationsTeam = processGas.operations_team_name

const account = (number: string, fields: object = {}) => ({
  import_supplier: 'LEVANTE',
  external_account_number: number,
  unknown_occupier: true,
  ...fields,
})

const linesOf = (payloads: readonly object[]): readonly BulkLine[] =>
  payloads.map((payload, index) => ({ line: index + 1, bytes: 2, json: E.right({ payload }) }))

const outcomeOf = ({ outcome }: BulkResult<Readonly<{ _tag: string }>, unknown>): string =>
  E.isLeft(outcome) ? outcome.left._tag : 'created'

const importing = async (
  useCases: Pick<ReturnType<typeof makeUseCases>, 'bulkImport'>,
  payloads: readonly object[],
): Promise<readonly string[]> => {
  const pages = await right(useCases.bulkImport({ organisation, operationsTeam, lines: linesOf(payloads) }))
  const outcomes: string[] = []
  for await (const page of pages) outcomes.push(...page.map(outcomeOf))
  return outcomes
}

/** The service in both ways: created in one statement, and in two steps under claims. */
const ways: readonly (readonly [title: string, yours: Partial<Ports>])[] = [
  ['in one statement', {}],
  ['in two steps', { settings: { ...defaultServiceSettings, processingConcurrencyLimit: 3 } }],
]

for (const [title, yours] of ways) {
  test(`a bulk import creates valid lines and refuses the others in their order, ${title}`, async (t) => {
    const { ports, useCases } = await service(yours)
    await right(
      useCases.operator.setSkipped({ importSupplier: 'LEVANTE', externalAccountNumber: 'B', skipped: true }),
    )
    const outcomes = await importing(useCases, [
      account('A'),
      account('B'),
      account('C', { import_supplier: 'NONE' }),
      account('D', { customers: 'none' }),
      account('E'),
    ])
    t.deepEqual(outcomes, [
      'created',
      'AccountMarkedToSkip',
      'AccountFailedValidation',
      'AccountFailedValidation',
      'created',
    ])
    const made = await right(ports.accounts.find(keyOf('E')))
    t.is(made?.operationsTeam, operationsTeam)
    t.is((await right(useCases.transferStatus(keyOf('E')))).attempts, 1)
  })

  test(`a repeated bulk import creates nothing twice and compares the data, ${title}`, async (t) => {
    const { useCases } = await service(yours)
    t.deepEqual(await importing(useCases, [account('A'), account('B')]), ['created', 'created'])
    const again = linesOf([account('A'), account('B', { sales_channel: 'EVENTS' })])
    const pages = await right(useCases.bulkImport({ organisation, operationsTeam, lines: again }))
    const same: unknown[] = []
    for await (const page of pages)
      for (const { outcome } of page)
        if (E.isLeft(outcome) && outcome.left._tag === 'AccountAlreadyImported')
          same.push(outcome.left.sameData)
    t.deepEqual(same, [true, false])
  })

  test(`a line of a bulk import repeats the warnings about its data, ${title}`, async (t) => {
    const { useCases } = await service(yours)
    const lines = linesOf([{ ...sample('gas-account'), unheard_of: 1 }])
    const pages = await right(useCases.bulkImport({ organisation, operationsTeam, lines }))
    for await (const [result] of pages)
      t.deepEqual(
        result !== undefined && E.isRight(result.outcome)
          ? result.outcome.right.warnings.map(({ code }) => code)
          : undefined,
        ['unknown_field'],
      )
  })
}

test('a bulk import stores the e-mail of each account, if the supplier sends e-mails', async (t) => {
  const { ports, useCases } = await service()
  await right(configuring(useCases, { migrationEmails: true }))
  t.deepEqual(await importing(useCases, [sample('gas-account')]), ['created'])
  const [email] = await right(
    ports.outbox.page({
      organisation,
      importSupplier: 'LEVANTE',
      state: 'waiting',
      after: undefined,
      limit: 1,
    }),
  )
  t.is(email?.key.externalAccountNumber, processGas.external_account_number)
})

test('a bulk import is refused whole if the organisation may not use the team', async (t) => {
  const { useCases } = await service()
  const lines = linesOf([account('A')])
  t.is(
    await refusalOf(useCases.bulkImport({ organisation, operationsTeam: 'Nobody', lines })),
    'OperationsTeamDoesNotExist',
  )
})

test('a bulk import of a paused supplier refuses each line and stages none', async (t) => {
  const { ports, useCases } = await service()
  await right(pausing(useCases))
  t.deepEqual(await importing(useCases, [account('A')]), ['SupplierNotOngoing'])
  t.is(await right(ports.accountImports.staged(keyOf('A'))), undefined)
})

test('data that a bulk import staged and could not create stays staged', async (t) => {
  const { ports, useCases } = await service()
  const platform = changed(ports, 'accountImports', {
    claim: (requests) => ports.accountImports.claim(requests, 0),
  })
  const limited = { ...platform, settings: { ...ports.settings, processingConcurrencyLimit: 1 } }
  const signal = AbortSignal.abort()
  const pages = await right(
    makeUseCases(limited).bulkImport({
      organisation,
      operationsTeam,
      lines: linesOf([account('A')]),
      signal,
    }),
  )
  const outcomes: string[] = []
  for await (const page of pages) outcomes.push(...page.map(outcomeOf))
  t.deepEqual(outcomes, ['ConcurrencyLimitReached'])
  t.is((await right(ports.accountImports.staged(keyOf('A'))))?.version, 1)
  t.is((await right(useCases.transferStatus(keyOf('A')))).status, 'UNKNOWN')
})

test('a bulk import refuses an account under the claim of another request', async (t) => {
  const { ports, useCases } = await service()
  await importing(useCases, [account('B')])
  await right(ports.accountImports.stage([{ key: keyOf('A'), payload: '{}', at: ports.clock.now() }]))
  await claimElsewhere(ports, keyOf('A'))
  t.deepEqual(await importing(useCases, [account('A')]), ['AccountImportInProgress'])
})
