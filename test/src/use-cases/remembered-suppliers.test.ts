import test from 'ava'
import { makeUseCases, portFailure, type Ports, type SupplierSettings } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import { failing } from '@account-import/core/in-memory'
import { sample } from './support/samples.js'
import { gasKey, left, organisation, processGas, right, service } from './support/service.js'

const code = 'LEVANTE'
const payload = sample('gas-account')

/** Settings by which the account of these tests is refused. */
const strict = (settings: SupplierSettings): SupplierSettings => ({
  ...settings,
  closedLists: { sales_channel: { members: ['BROKER'], severity: 'error' } },
})

const before = (settings: SupplierSettings): SupplierSettings => ({ ...settings, closedLists: {} })

/** Two servers on the same stores, the first of which counts how often it reads a supplier; both have staged an account. */
const twoServers = async (change: (ports: Ports) => Partial<Ports> = () => ({})) => {
  const { ports, useCases: operator } = await service()
  let reads = 0
  const counted: Ports = {
    ...ports,
    importSuppliers: {
      ...ports.importSuppliers,
      find: (...supplier) => {
        reads += 1
        return ports.importSuppliers.find(...supplier)
      },
    },
    ...change(ports),
  }
  const { stageAccount } = makeUseCases(counted)
  const stage = (external_account_number = 'A-1', import_supplier = code) =>
    stageAccount({ organisation, payload: { ...payload, external_account_number, import_supplier } })
  await right(stage())
  return {
    ports,
    operator,
    stage,
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
    await right(operator.operator.configureSupplier({ code, change: strict }))
    t.is(await readsOf(async () => t.is((await left(stage()))._tag, 'AccountFailedValidation')), 1)
    t.is(await readsOf(async () => t.is((await left(stage()))._tag, 'AccountFailedValidation')), 1)
    await right(operator.operator.configureSupplier({ code, change: before }))
    t.is(await readsOf(() => right(stage())), 1, 'what was refused by earlier settings is validated anew')
    t.is(await readsOf(() => right(stage())), 0)
  }
})

test('a supplier that another server pauses takes no account any more, until it goes on', async (t) => {
  const { ports, operator, stage, readsOf } = await twoServers()
  await right(operator.operator.setSupplierStatus({ code, status: 'paused' }))
  for (const number of ['A-1', 'A-2', 'A-2'])
    t.is((await left(stage(number)))._tag, 'SupplierNotOngoing', number)
  t.is(await right(ports.accountImports.find({ ...gasKey, externalAccountNumber: 'A-2' })), undefined)
  await right(operator.operator.setSupplierStatus({ code, status: 'ongoing' }))
  t.is((await right(stage('A-2'))).outcome, 'created')
  t.is(await readsOf(() => right(stage('A-3'))), 0)
})

test('an account whose supplier changes while it is validated is validated anew', async (t) => {
  let changeNow = async (): Promise<unknown> => undefined
  const { operator, stage, readsOf } = await twoServers(({ accountImports }) => ({
    accountImports: {
      ...accountImports,
      stage: (stagings) => async () => {
        await changeNow()
        return accountImports.stage(stagings)()
      },
    },
  }))
  changeNow = async () => right(operator.operator.configureSupplier({ code, change: strict }))
  t.is(await readsOf(async () => t.is((await left(stage()))._tag, 'AccountFailedValidation')), 1)
})

test('what refuses the account itself is said without reading its supplier again', async (t) => {
  const { operator, stage, readsOf } = await twoServers()
  const processed = { ...processGas, external_account_number: 'A-1' }
  await right(operator.processAccount({ organisation, payload: processed }))
  t.is(await readsOf(async () => t.is((await left(stage()))._tag, 'AccountAlreadyImported')), 0)
})

test('documents that cannot be asked for by earlier settings are not asked for by those of now', async (t) => {
  const { operator, stage } = await twoServers(() => ({
    documents: {
      existing: () => TE.left(portFailure('unavailable', 'documents', 'existing', new Error('away'))),
      ready: () => TE.right(undefined),
    },
  }))
  const severity = (path: 'error' | 'off') => (settings: SupplierSettings) => ({
    ...settings,
    severities: { ...settings.severities, path_does_not_exist_in_file_store: path },
  })
  await right(operator.operator.configureSupplier({ code, change: severity('error') }))
  t.is((await left(stage()))._tag, 'PortFailure')
  await right(operator.operator.configureSupplier({ code, change: severity('off') }))
  await right(stage())
})

test('a store that is away is told at once, without a second call', async (t) => {
  const { stage, readsOf } = await twoServers(({ accountImports }) => ({
    accountImports: failing(accountImports, 'stage', { nth: 2 }),
  }))
  t.is(await readsOf(async () => t.is((await left(stage()))._tag, 'PortFailure')), 0)
})

test('a supplier of another organisation is not taken for one that is remembered', async (t) => {
  const { operator, ports } = await twoServers()
  const { stageAccount } = makeUseCases(ports)
  await right(operator.operator.createOrganisation({ code: 'OTHER' }))
  await right(stageAccount({ organisation, payload }))
  const refused = await left(stageAccount({ organisation: 'OTHER', payload }))
  t.like(refused, { errors: [{ code: 'import_supplier_does_not_exist' }] })
})

test('the suppliers that were read last are remembered, so many of them and no more', async (t) => {
  const { operator, stage, readsOf } = await twoServers()
  const codes = Array.from({ length: 101 }, (_, index) => `S-${index}`)
  for (const each of codes) await right(operator.operator.createSupplier({ code: each, organisation }))
  const all = () =>
    codes.reduce<Promise<unknown>>(
      (last, each) => last.then(() => right(stage('A-1', each))),
      Promise.resolve(),
    )
  t.is(await readsOf(all), codes.length)
  t.is(await readsOf(() => right(stage('A-1', 'S-100'))), 0)
  t.is(await readsOf(() => right(stage('A-1', 'S-1'))), 0)
  t.is(await readsOf(() => right(stage('A-1', 'S-0'))), 1)
})
