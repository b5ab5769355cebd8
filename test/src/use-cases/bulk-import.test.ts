import test from 'ava'
import {
  type BulkLine,
  type BulkResult,
  defaultServiceSettings,
  portFailure,
  type Ports,
  type UseCases,
} from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import { failing } from '@account-import/core/in-memory'
import {
  changed,
  claimElsewhere,
  configuring,
  inShort,
  keyOf,
  left,
  numbered,
  organisation,
  pausing,
  processGas,
  refusalOf,
  right,
  sample,
  service,
} from './support/service.js'

const account = (number: string, fields: object = {}) => ({
  ...sample('gas-account'),
  external_account_number: number,
  ...fields,
})

const linesOf = (payloads: readonly object[]): readonly BulkLine[] =>
  payloads.map((payload, index) => ({ line: index + 1, bytes: 2, json: async () => E.right({ payload }) }))

const { operations_team_name: operationsTeam } = processGas

type Result = BulkResult<Readonly<{ _tag: string }>, Readonly<{ platformAccountNumber: string }>>

const importAll = async (
  { bulkImport }: Pick<UseCases, 'bulkImport'>,
  lines: readonly BulkLine[],
  more: Partial<Parameters<UseCases['bulkImport']>[0]> = {},
): Promise<readonly Result[]> => {
  const results: Result[] = []
  for await (const page of await right(bulkImport({ organisation, lines, operationsTeam, ...more })))
    results.push(...page)
  return results
}

const tagOf = ({ outcome }: Result): string => (E.isLeft(outcome) ? outcome.left._tag : 'created')

/** Services on which an import is one change, and two: under claims, or because e-mails need the account. */
const ways: readonly (readonly [way: string, yours: Partial<Ports>, isRead?: true])[] = [
  ['by single changes', {}],
  ['under claims', { settings: { ...defaultServiceSettings, processingConcurrencyLimit: 2 } }],
  ['with e-mails', {}, true],
]

const serviceOf = async ([, yours, isRead]: (typeof ways)[number]) => {
  const made = await service(yours)
  if (isRead) await right(configuring(made.useCases, { migrationEmails: true }))
  return made
}

for (const way of ways) {
  test(`each line is validated, staged and created ${way[0]}, with the result of a single request`, async (t) => {
    const { ports, useCases } = await serviceOf(way)
    const lines = linesOf(numbered(70).map((number) => account(number, { billing_name: number })))
    const results = await importAll(useCases, lines)
    t.deepEqual(
      results.map(({ line, externalAccountNumber }) => [line, externalAccountNumber]),
      numbered(70).map((number, index) => [index + 1, number]),
    )
    for (const result of results) {
      const number = result.externalAccountNumber ?? ''
      const created = await right(ports.accounts.find(keyOf(number)))
      t.like(result.outcome, {
        right: { platformAccountNumber: created?.platformAccountNumber, warnings: [] },
      })
      t.like(created, { operationsTeam, stagedVersion: 1, details: { billing_name: number } })
      t.like(await right(ports.accountImports.find(keyOf(number))), { attempts: 1, claim: undefined })
    }
  })

  test(`a line is refused ${way[0]} with the result of the step that refuses, and others are created`, async (t) => {
    const { ports, useCases } = await serviceOf(way)
    await right(ports.accountImports.stage([{ key: keyOf('BUSY'), payload: '{}', at: ports.clock.now() }]))
    await claimElsewhere(ports, keyOf('BUSY'))
    await right(
      useCases.operator.setSkipped({
        importSupplier: 'LEVANTE',
        externalAccountNumber: 'SKIPPED',
        skipped: true,
      }),
    )
    await importAll(useCases, linesOf([account('EXISTS')]))
    const lines: readonly BulkLine[] = [
      ...linesOf([
        account('BUSY'),
        account('SKIPPED'),
        account('EXISTS'),
        account('INVALID', { account_type: 'NONE' }),
        account('FINE'),
      ]),
      { line: 6, bytes: 2, json: async () => E.left({ _tag: 'NotJson' }) },
    ]
    const results = await importAll(useCases, lines)
    t.deepEqual(results.map(tagOf), [
      'AccountImportInProgress',
      'AccountMarkedToSkip',
      'AccountAlreadyImported',
      'AccountFailedValidation',
      'created',
      'NotJson',
    ])
    t.like(results[2]?.outcome, { left: { sameData: true } })
    const other = await importAll(useCases, linesOf([account('EXISTS', { billing_name: 'Other' })]))
    t.like(other[0]?.outcome, { left: { _tag: 'AccountAlreadyImported', sameData: false } })
    t.is(await right(ports.accountImports.find(keyOf('INVALID'))), undefined)
  })

  test(`a repeated import ${way[0]} creates the rest and changes no account`, async (t) => {
    const { ports, useCases } = await serviceOf(way)
    await importAll(useCases, linesOf(numbered(3).map((number) => account(number))))
    const before = await right(ports.accounts.find(keyOf('N-0000')))
    const again = await importAll(useCases, linesOf(numbered(5).map((number) => account(number))))
    t.deepEqual(again.map(tagOf), [
      ...Array.from({ length: 3 }, () => 'AccountAlreadyImported'),
      'created',
      'created',
    ])
    t.deepEqual(await right(ports.accounts.find(keyOf('N-0000'))), before)
  })

  test(`the warnings of a line are those of staging, once, ${way[0]}`, async (t) => {
    const { useCases } = await serviceOf(way)
    const [result] = await importAll(useCases, linesOf([account('A', { colour: 'red' })]))
    const warnings = result && E.isRight(result.outcome) ? result.outcome.right : undefined
    t.deepEqual(
      (warnings as unknown as { warnings: readonly { attr: string; code: string }[] }).warnings.map(inShort),
      ['colour unknown_field'],
    )
  })

  test(`two lines of one account ${way[0]}: the first is created, the second finds it`, async (t) => {
    const { useCases } = await serviceOf(way)
    const results = await importAll(
      useCases,
      linesOf([
        account('A', { billing_name: 'first' }),
        account('A', { billing_name: 'second' }),
        account('B'),
      ]),
    )
    t.deepEqual(results.map(tagOf), ['created', 'AccountAlreadyImported', 'created'])
    t.like(results[1]?.outcome, { left: { sameData: false } })
  })

  test(`an account whose number cannot be generated fails alone ${way[0]}`, async (t) => {
    const { ports } = await serviceOf(way)
    const platformAccountNumbers = failing(ports.platformAccountNumbers, 'next', {
      nth: 2,
      kind: 'unexpected',
    })
    const results = await importAll(
      makeUseCases({ ...ports, platformAccountNumbers }),
      linesOf(['A', 'B', 'C'].map((number) => account(number))),
    )
    const failed = results.filter((each) => tagOf(each) === 'PortFailure')
    t.true(failed.length >= 1)
    for (const { externalAccountNumber } of failed)
      t.is(await right(ports.accounts.find(keyOf(externalAccountNumber ?? ''))), undefined)
  })
}

test('an account that could not be created stays staged, with its failure', async (t) => {
  const { ports, useCases } = await serviceOf(ways[2] as (typeof ways)[number])
  const unitOfWork = failing(ports.unitOfWork, 'run')
  const results = await importAll(makeUseCases({ ...ports, unitOfWork }), linesOf([account('A')]))
  t.deepEqual(results.map(tagOf), ['PortFailure'])
  t.like(await right(useCases.transferStatus(keyOf('A'))), {
    status: 'UNKNOWN',
    attempts: 1,
    latestError: { code: 'service_unavailable' },
  })
  t.is((await right(ports.accountImports.staged([keyOf('A')])))[0]?.version, 1)
})

test('accounts that a store stages and creates in one change need no unit of work and no claim', async (t) => {
  const { ports } = await service()
  const stages: number[] = []
  const counted = changed(ports, 'accountImports', {
    stage: (stagings) => {
      stages.push(stagings.length)
      return ports.accountImports.stage(stagings)
    },
    claim: async () => E.left(portFailure('unexpected', 'accountImports', 'claim', undefined)),
    create: async () => E.left(portFailure('unexpected', 'accountImports', 'create', undefined)),
  })
  const unitOfWork = failing(ports.unitOfWork, 'run')
  const lines = linesOf(numbered(100).map((number) => account(number)))
  const results = await importAll(makeUseCases({ ...counted, unitOfWork }), lines)
  t.deepEqual(new Set(results.map(tagOf)), new Set(['created']))
  t.true(Math.max(...stages) <= 64 && stages.length < 50)
})

test('a team of another organisation refuses the whole request', async (t) => {
  const { ports, useCases } = await service()
  const lines = linesOf([account('A')])
  const nobody = { organisation, lines, operationsTeam: 'Nobody' }
  t.is(await refusalOf(useCases.bulkImport(nobody)), 'OperationsTeamDoesNotExist')
  const operationsTeams = failing(ports.operationsTeams, 'exists')
  const broken = makeUseCases({ ...ports, operationsTeams })
  t.is(await refusalOf(broken.bulkImport({ ...nobody, operationsTeam })), 'PortFailure')
})

test('a paused supplier refuses each of its lines', async (t) => {
  const { useCases } = await service()
  await right(pausing(useCases))
  const results = await importAll(useCases, linesOf([account('A'), account('B')]))
  t.deepEqual(results.map(tagOf), ['SupplierNotOngoing', 'SupplierNotOngoing'])
})

test('an import within a run counts its accounts, and records its refused lines', async (t) => {
  const { useCases } = await service()
  const run = await right(useCases.openImportRun({ organisation, payload: { import_supplier: 'LEVANTE' } }))
  const lines = linesOf([account('A'), account('B', { account_type: 'NONE' })])
  await importAll(useCases, lines, { importRun: { id: run.id, firstLine: 11 } })
  const { items } = await right(
    useCases.importRunFailures({ organisation, id: run.id, after: undefined, limit: 10 }),
  )
  t.like(items, [{ step: 'stage', line: 12, externalAccountNumber: 'B', code: 'account_failed_validation' }])
  const accounts = await right(
    useCases.importRunAccounts({ organisation, id: run.id, after: undefined, limit: 10 }),
  )
  t.is(accounts.items.length, 1)
})

test('an import of an account ends the failure of an earlier request to process it in the same run', async (t) => {
  const { useCases } = await service()
  const run = await right(useCases.openImportRun({ organisation, payload: { import_supplier: 'LEVANTE' } }))
  const failures = async () =>
    (await right(useCases.importRunFailures({ organisation, id: run.id, after: undefined, limit: 10 }))).items
  const importRun = { id: run.id, firstLine: 1 }
  const payload = { ...processGas, external_account_number: 'A' }
  t.is((await left(useCases.processAccount({ organisation, payload, importRun })))._tag, 'NothingStaged')
  t.deepEqual(
    (await failures()).map(({ step, code }) => [step, code]),
    [['process', 'import_process_does_not_exist']],
  )
  t.deepEqual((await importAll(useCases, linesOf([account('A')]), { importRun })).map(tagOf), ['created'])
  t.deepEqual(await failures(), [])
})
