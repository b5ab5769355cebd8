import test from 'ava'
import { type FieldError, portFailure, type WithValidator } from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import { checkAccountPayload } from '@account-import/core/payloads'
import { failing } from '@account-import/core/in-memory'
import {
  changed,
  configuring,
  gasKey,
  inShort,
  keyOf,
  left,
  numbered,
  organisation,
  pausing,
  processGas,
  processing,
  refusalOf,
  right,
  sample,
  service,
  staging,
  withStaged,
} from './support/service.js'

test('staged data is validated again by the rules of the day of its processing', async (t) => {
  const { ports, useCases } = await service()
  await right(staging(useCases))
  await right(configuring(useCases, strict))
  const refused = await left(processing(useCases))
  t.like(refused, {
    _tag: 'AccountFailedValidation',
    errors: [{ code: 'not_in_supplier_list', attr: 'sales_channel' }],
  })
  const status = await right(useCases.transferStatus(gasKey))
  t.deepEqual([status.status, status.latestError?.code], ['UNKNOWN', 'account_failed_validation'])
  t.is(await right(ports.accounts.find(gasKey)), undefined)
})

test('a payload that a validator checks is staged or refused by its result, and a failed validator is a failure', async (t) => {
  const { ports } = await service()
  const payload = sample('gas-account')
  const stageBy = (validator: WithValidator['validator'], errors?: readonly FieldError[]) =>
    makeUseCases({ ...ports, ...(validator && { validator }) }).stageAccount({
      organisation,
      payload,
      text: JSON.stringify(payload),
      ...(errors && { errors }),
    })
  const failure = portFailure('unavailable', 'longBodies', 'check', new Error('the thread ended'))
  t.deepEqual(await left(stageBy(async () => E.left(failure))), failure)
  const errors = [{ detail: 'd', code: 'too_many_values', attr: 'notes' } as const]
  const refused = { _tag: 'AccountFailedValidation', errors, warnings: [] } as const
  t.deepEqual(await left(stageBy(async () => E.right(E.left({ errors, warnings: [] })))), refused)
  t.deepEqual(await left(stageBy(undefined, errors)), refused)
  t.is((await right(stageBy(() => undefined))).outcome, 'created')
  const texts: unknown[] = []
  const staged = await right(
    stageBy(async ({ text }, context, extra) => {
      texts.push(text)
      return E.right(checkAccountPayload(payload, context, extra))
    }),
  )
  t.deepEqual([staged.outcome, texts], ['replaced', [JSON.stringify(payload)]])
})

test('an account without changes is staged as the sent text, another one as its accepted values', async (t) => {
  const { ports, useCases } = await service()
  const stagedAs = async (payload: object, text: string | undefined) => {
    await right(useCases.stageAccount({ organisation, payload, ...(text === undefined ? {} : { text }) }))
    return (await right(ports.accountImports.staged([gasKey])))[0]?.payload
  }
  const account = sample('gas-account')
  const text = JSON.stringify(account, null, 2)
  t.is(await stagedAs(account, text), text)
  t.is(await stagedAs({ ...account, colour: 'red' }, 'with colour'), await stagedAs(account, undefined))
  await right(configuring(useCases, { severities: { unknown_field: 'off' } }))
  const another = { ...account, colour: 'blue' }
  t.is(await stagedAs(another, JSON.stringify(another)), await stagedAs(account, undefined))
})

test('the error of an unknown supplier is among the other errors, in document order', async (t) => {
  const { useCases } = await service()
  const pairs = (refused: { _tag: string }) =>
    'errors' in refused ? (refused.errors as FieldError[]).map(inShort) : []
  const payload = { account_type: 'NONE', import_supplier: 'NOBODY' }
  t.deepEqual(pairs(await left(useCases.stageAccount({ organisation, payload }))), [
    'import_supplier import_supplier_does_not_exist',
    'external_account_number required',
    'account_type invalid_choice',
    'customers required',
  ])
  const request = { import_supplier_code: 'NOBODY', dry_run: 1, operations_team_name: ' ' }
  t.deepEqual(pairs(await left(useCases.processAccount({ organisation, payload: request }))), [
    'external_account_number required',
    'import_supplier_code import_supplier_does_not_exist',
    'operations_team_name blank',
    'dry_run invalid',
  ])
})

/** Settings by which the account of these tests is refused. */
const strict = { closedLists: { sales_channel: { members: ['BROKER'], severity: 'error' } } } as const

const before = { closedLists: {} }

test('each request is validated by the present settings of its supplier, from any server', async (t) => {
  const { ports, useCases: operator } = await service()
  const server = makeUseCases(ports)
  for (let round = 0; round < 2; round += 1) {
    await right(staging(server))
    await right(configuring(operator, strict))
    t.is(await refusalOf(staging(server)), 'AccountFailedValidation')
    t.is(await refusalOf(processing(server)), 'AccountFailedValidation')
    await right(configuring(operator, before))
  }
  await right(processing(server))
})

test('a supplier that another server pauses accepts no account until it is ongoing again', async (t) => {
  const { ports, useCases: operator } = await service()
  const server = makeUseCases(ports)
  const stage = (external_account_number: string) => staging(server, { external_account_number })
  await right(stage('A-1'))
  await right(pausing(operator))
  for (const number of ['A-1', 'A-2']) t.is(await refusalOf(stage(number)), 'SupplierNotOngoing', number)
  t.is(await right(ports.accountImports.find(keyOf('A-2'))), undefined)
  await right(pausing(operator, 'ongoing'))
  t.is((await right(stage('A-2'))).outcome, 'created')
})

test('a team that another server binds to another organisation is refused at once', async (t) => {
  const { ports, useCases } = await service()
  await right(staging(useCases))
  await right(useCases.operator.createOrganisation({ code: 'OTHER' }))
  await right(ports.operationsTeams.bind(processGas.operations_team_name, 'OTHER'))
  t.is(await refusalOf(processing(useCases)), 'OperationsTeamDoesNotExist')
})

test('a supplier of another organisation does not exist for a request', async (t) => {
  const { useCases } = await service()
  await right(useCases.operator.createOrganisation({ code: 'OTHER' }))
  await right(staging(useCases))
  const refused = await left(useCases.stageAccount({ organisation: 'OTHER', payload: sample('gas-account') }))
  t.like(refused, { errors: [{ code: 'import_supplier_does_not_exist' }] })
})

test('documents that cannot be looked up refuse staging only while a supplier requires the check', async (t) => {
  const { useCases } = await service({
    documents: {
      existing: async () => E.left(portFailure('unavailable', 'documents', 'existing', new Error('away'))),
      ready: async () => E.right(undefined),
    },
  })
  const severity = (path: 'error' | 'off') => ({ severities: { path_does_not_exist_in_file_store: path } })
  await right(configuring(useCases, severity('error')))
  t.is(await refusalOf(staging(useCases)), 'PortFailure')
  await right(configuring(useCases, severity('off')))
  await right(staging(useCases))
})

test('an unavailable store is called once', async (t) => {
  const { ports } = await service()
  let calls = 0
  const away = changed(ports, 'accountImports', {
    stage: (stagings) => {
      calls += 1
      return failing(ports.accountImports, 'stage').stage(stagings)
    },
  })
  t.is(await refusalOf(staging(makeUseCases(away))), 'PortFailure')
  t.is(calls, 1)
})

test('accounts of one list read their supplier and their team once', async (t) => {
  const { ports } = await withStaged(numbered(20))
  const reads = { supplier: 0, team: 0 }
  const counted = changed(
    changed(ports, 'importSuppliers', {
      find: (...supplier) => {
        reads.supplier += 1
        return ports.importSuppliers.find(...supplier)
      },
    }),
    'operationsTeams',
    {
      exists: (...team) => {
        reads.team += 1
        return ports.operationsTeams.exists(...team)
      },
    },
  )
  const { external_account_number: _, ...payload } = processGas
  const pages = await right(makeUseCases(counted).bulkProcess({ organisation, payload }))
  for await (const page of pages) t.is(page.length, 20)
  // The bulk request itself reads both too.
  t.deepEqual(reads, { supplier: 2, team: 2 })
})

test('accounts of one list that exist are compared with their data by one call', async (t) => {
  const { ports, useCases } = await withStaged(numbered(5))
  const { external_account_number: _, ...payload } = processGas
  const listed = { organisation, payload: { ...payload, external_account_numbers: numbered(5) } }
  for await (const page of await right(useCases.bulkProcess(listed))) t.is(page.length, 5)
  let calls = 0
  const counted = changed(ports, 'accountImports', {
    sameData: (compared) => {
      calls += 1
      return ports.accountImports.sameData(compared)
    },
  })
  for await (const page of await right(makeUseCases(counted).bulkProcess(listed)))
    for (const { outcome } of page) t.like(outcome, { left: { sameData: true } })
  t.is(calls, 1)
})
