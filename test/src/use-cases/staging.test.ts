import test from 'ava'
import { type FieldError, makeUseCases, portFailure, type Ports } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import { failing } from '@account-import/core/in-memory'
import {
  changed,
  configuring,
  gasKey,
  inShort,
  left,
  organisation,
  pausing,
  processGas,
  processing,
  refusalOf,
  right,
  sample,
  service,
  staging,
} from './support/service.js'

test('staged data is validated again by the rules of the day on which it is processed', async (t) => {
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

test('what is accepted whole is staged as the text that was sent, anything else as what was accepted of it', async (t) => {
  const { ports, useCases } = await service()
  const stagedAs = async (payload: object, text: string | undefined) => {
    await right(useCases.stageAccount({ organisation, payload, ...(text === undefined ? {} : { text }) }))
    return (await right(ports.accountImports.staged(gasKey)))?.payload
  }
  const account = sample('gas-account')
  const text = JSON.stringify(account, null, 2)
  t.is(await stagedAs(account, text), text)
  t.is(await stagedAs({ ...account, colour: 'red' }, 'with colour'), await stagedAs(account, undefined))
  await right(configuring(useCases, { severities: { unknown_field: 'off' } }))
  const another = { ...account, colour: 'blue' }
  t.is(await stagedAs(another, JSON.stringify(another)), await stagedAs(account, undefined))
})

test('a claim that is taken over while the account is being created leaves the account to its new owner', async (t) => {
  const { clock, ports, useCases } = await service()
  await right(staging(useCases))
  const slow = makeUseCases({
    ...ports,
    platformAccountNumbers: {
      next: () => async () => {
        clock.pass(61)
        await right(processing(useCases))
        return ports.platformAccountNumbers.next()()
      },
    },
  })
  t.is(await refusalOf(processing(slow)), 'ClaimLost')
  const status = await right(useCases.transferStatus(gasKey))
  const account = await right(ports.accounts.find(gasKey))
  t.deepEqual([status.status, status.attempts], ['COMPLETED', 2])
  t.is(account?.platformAccountNumber, status.platformAccountNumber)
})

test('an unknown supplier joins the other entries of its request, in document order', async (t) => {
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

/** Two servers on the same stores, the first of which counts how often it reads a supplier; both have staged an account. */
const twoServers = async (change: (ports: Ports) => Partial<Ports> = () => ({})) => {
  const { ports, useCases: operator } = await service()
  let reads = 0
  const counted = changed({ ...ports, ...change(ports) }, 'importSuppliers', {
    find: (...supplier) => {
      reads += 1
      return ports.importSuppliers.find(...supplier)
    },
  })
  const server = makeUseCases(counted)
  const stage = (external_account_number = 'A-1', import_supplier = 'LEVANTE') =>
    staging(server, { external_account_number, import_supplier })
  await right(stage())
  return {
    ports,
    operator,
    stage,
    process: (external_account_number: string, fields: object = {}) =>
      processing(server, { external_account_number, ...fields }),
    /** How often the supplier is read while this is done. */
    readsOf: async (work: () => Promise<unknown>): Promise<number> => {
      const earlier = reads
      await work()
      return reads - earlier
    },
  }
}

test('an account that is accepted is staged without reading its supplier again', async (t) => {
  const { stage, readsOf } = await twoServers()
  t.is(await readsOf(() => right(stage())), 0)
  t.is(await readsOf(() => right(stage('A-2'))), 0)
})

test('settings that another server changed hold for the next account', async (t) => {
  const { operator, stage, readsOf } = await twoServers()
  for (let round = 0; round < 3; round += 1) {
    await right(configuring(operator, strict))
    t.is(await readsOf(async () => t.is(await refusalOf(stage()), 'AccountFailedValidation')), 1)
    t.is(await readsOf(async () => t.is(await refusalOf(stage()), 'AccountFailedValidation')), 1)
    await right(configuring(operator, before))
    t.is(await readsOf(() => right(stage())), 1, 'what was refused by earlier settings is validated anew')
    t.is(await readsOf(() => right(stage())), 0)
  }
})

test('an account is processed without reading supplier or team again, by the settings that the supplier has then', async (t) => {
  let teamsRead = 0
  const { operator, stage, readsOf, process } = await twoServers((ports) =>
    changed(ports, 'operationsTeams', {
      exists: (...asked) => {
        teamsRead += 1
        return ports.operationsTeams.exists(...asked)
      },
    }),
  )
  for (const number of ['A-2', 'A-3']) await right(stage(number))
  t.is(await readsOf(() => right(process('A-1'))), 1)
  t.is(await readsOf(() => right(process('A-2'))), 0)
  t.is(teamsRead, 1)
  await right(configuring(operator, strict))
  t.is(await readsOf(async () => t.is(await refusalOf(process('A-3')), 'AccountFailedValidation')), 1)
})

test('a request that is invalid by earlier settings is checked by those of now', async (t) => {
  const { readsOf, process } = await twoServers()
  await right(process('A-1'))
  const refused = () => refusalOf(process('A-1', { dry_run: 1 }))
  t.is(await readsOf(async () => t.is(await refused(), 'RequestFailedValidation')), 1)
  const unreadable = process('A-1', { import_supplier_code: 1 })
  t.is(await readsOf(async () => t.is(await refusalOf(unreadable), 'RequestFailedValidation')), 0)
})

test('a team that is bound to another organisation meanwhile is refused at once', async (t) => {
  const { ports, operator, stage, process } = await twoServers()
  await right(stage('A-2'))
  await right(process('A-1'))
  await right(operator.operator.createOrganisation({ code: 'OTHER' }))
  await right(ports.operationsTeams.bind(processGas.operations_team_name, 'OTHER'))
  t.is(await refusalOf(process('A-2')), 'OperationsTeamDoesNotExist')
})

test('a store that says of a claim without a precondition that it failed by one is at fault', async (t) => {
  const { process } = await twoServers((ports) =>
    changed(ports, 'accountImports', { claim: () => TE.right([{ _tag: 'precondition_failed' }]) }),
  )
  t.is(await refusalOf(process('A-1')), 'PortFailure')
})

test('a supplier that another server pauses takes no account any more, until it goes on', async (t) => {
  const { ports, operator, stage, readsOf } = await twoServers()
  await right(pausing(operator))
  for (const number of ['A-1', 'A-2', 'A-2'])
    t.is(await refusalOf(stage(number)), 'SupplierNotOngoing', number)
  t.is(await right(ports.accountImports.find({ ...gasKey, externalAccountNumber: 'A-2' })), undefined)
  await right(pausing(operator, 'ongoing'))
  t.is((await right(stage('A-2'))).outcome, 'created')
  t.is(await readsOf(() => right(stage('A-3'))), 0)
})

test('an account whose supplier changes while it is validated is validated anew', async (t) => {
  let changeNow = async (): Promise<unknown> => undefined
  const { operator, stage, readsOf } = await twoServers((ports) =>
    changed(ports, 'accountImports', {
      stage: (stagings) => async () => {
        await changeNow()
        return ports.accountImports.stage(stagings)()
      },
    }),
  )
  changeNow = async () => right(configuring(operator, strict))
  t.is(await readsOf(async () => t.is(await refusalOf(stage()), 'AccountFailedValidation')), 1)
})

test('what refuses the account itself is said without reading its supplier again', async (t) => {
  const { operator, stage, readsOf } = await twoServers()
  await right(processing(operator, { external_account_number: 'A-1' }))
  t.is(await readsOf(async () => t.is(await refusalOf(stage()), 'AccountAlreadyImported')), 0)
})

test('documents that cannot be asked for by earlier settings are not asked for by those of now', async (t) => {
  const { operator, stage } = await twoServers(() => ({
    documents: {
      existing: () => TE.left(portFailure('unavailable', 'documents', 'existing', new Error('away'))),
      ready: () => TE.right(undefined),
    },
  }))
  const severity = (path: 'error' | 'off') => ({ severities: { path_does_not_exist_in_file_store: path } })
  await right(configuring(operator, severity('error')))
  t.is(await refusalOf(stage()), 'PortFailure')
  await right(configuring(operator, severity('off')))
  await right(stage())
})

test('a store that is away is told at once, without a second call', async (t) => {
  const { stage, readsOf } = await twoServers(({ accountImports }) => ({
    accountImports: failing(accountImports, 'stage', { nth: 2 }),
  }))
  t.is(await readsOf(async () => t.is(await refusalOf(stage()), 'PortFailure')), 0)
})

test('a supplier of another organisation is not taken for one that is remembered', async (t) => {
  const { operator, ports } = await twoServers()
  const server = makeUseCases(ports)
  await right(operator.operator.createOrganisation({ code: 'OTHER' }))
  await right(staging(server))
  const refused = await left(server.stageAccount({ organisation: 'OTHER', payload: sample('gas-account') }))
  t.like(refused, { errors: [{ code: 'import_supplier_does_not_exist' }] })
})

test('the suppliers that were read last are remembered, so many of them and no more', async (t) => {
  const { operator, stage, readsOf } = await twoServers()
  const codes = Array.from({ length: 101 }, (_, index) => `S-${index}`)
  for (const each of codes) await right(operator.operator.createSupplier({ code: each, organisation }))
  const all = async () => {
    for (const each of codes) await right(stage('A-1', each))
  }
  t.is(await readsOf(all), codes.length)
  t.is(await readsOf(() => right(stage('A-1', 'S-100'))), 0)
  t.is(await readsOf(() => right(stage('A-1', 'S-1'))), 0)
  t.is(await readsOf(() => right(stage('A-1', 'S-0'))), 1)
})
