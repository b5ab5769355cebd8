import test from 'ava'
import { makeUseCases } from '@account-import/core'
import { failing } from '@account-import/core/in-memory'
import { sample } from './support/samples.js'
import { gasKey, left, organisation, processGas, right, service, settableClock } from './support/service.js'

test('staged data is validated again by the rules of the day on which it is processed', async (t) => {
  const { ports, useCases } = await service()
  await right(useCases.stageAccount({ organisation, payload: sample('gas-account') }))
  const change = (
    settings: Parameters<Parameters<typeof useCases.operator.configureSupplier>[0]['change']>[0],
  ) => ({
    ...settings,
    closedLists: { sales_channel: { members: ['BROKER'], severity: 'error' as const } },
  })
  await right(useCases.operator.configureSupplier({ code: 'LEVANTE', change }))
  const refused = await left(useCases.processAccount({ organisation, payload: processGas }))
  t.is(refused._tag, 'AccountFailedValidation')
  t.like(refused, { errors: [{ code: 'not_in_supplier_list', attr: 'sales_channel' }] })
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
  await right(
    useCases.operator.configureSupplier({
      code: 'LEVANTE',
      change: (settings) => ({ ...settings, severities: { ...settings.severities, unknown_field: 'off' } }),
    }),
  )
  t.is(await stagedAs({ ...account, colour: 'blue' }, 'with another'), await stagedAs(account, undefined))
})

test('a claim that is taken over while the account is being created leaves the account to its new owner', async (t) => {
  const clock = settableClock()
  const { ports, useCases } = await service({ clock })
  await right(useCases.stageAccount({ organisation, payload: sample('gas-account') }))
  const slow = makeUseCases({
    ...ports,
    platformAccountNumbers: {
      next: () => async () => {
        clock.pass(61)
        await right(useCases.processAccount({ organisation, payload: processGas }))
        return ports.platformAccountNumbers.next()()
      },
    },
  })
  t.is((await left(slow.processAccount({ organisation, payload: processGas })))._tag, 'ClaimLost')
  const status = await right(useCases.transferStatus(gasKey))
  const account = await right(ports.accounts.find(gasKey))
  t.deepEqual([status.status, status.attempts], ['COMPLETED', 2])
  t.is(account?.platformAccountNumber, status.platformAccountNumber)
})

test('validating says as warnings what would refuse staging, and stays possible', async (t) => {
  const { useCases } = await service()
  const validate = async () => {
    const { warnings } = await right(
      useCases.validateAccount({ organisation, payload: sample('gas-account') }),
    )
    return warnings.map(({ attr, code }) => `${attr} ${code}`)
  }
  t.deepEqual(await validate(), [])
  await right(
    useCases.operator.setSkipped({
      importSupplier: 'LEVANTE',
      externalAccountNumber: 'LEV-G-000123',
      skipped: true,
    }),
  )
  t.deepEqual(await validate(), ['external_account_number account_marked_to_skip'])
  await right(
    useCases.operator.setSkipped({
      importSupplier: 'LEVANTE',
      externalAccountNumber: 'LEV-G-000123',
      skipped: false,
    }),
  )
  await right(useCases.stageAccount({ organisation, payload: sample('gas-account') }))
  await right(useCases.processAccount({ organisation, payload: processGas }))
  await right(useCases.operator.setSupplierStatus({ code: 'LEVANTE', status: 'complete' }))
  t.deepEqual(await validate(), [
    'import_supplier import_supplier_migration_not_ongoing',
    'external_account_number account_already_imported',
  ])
})

test('what is true of the account is said before what is true of its supplier', async (t) => {
  const { useCases } = await service()
  await right(useCases.stageAccount({ organisation, payload: sample('gas-account') }))
  await right(useCases.processAccount({ organisation, payload: processGas }))
  await right(useCases.operator.setSupplierStatus({ code: 'LEVANTE', status: 'paused' }))
  const staging = await left(useCases.stageAccount({ organisation, payload: sample('gas-account') }))
  t.is(staging._tag, 'AccountAlreadyImported')
  t.is(
    (await left(useCases.processAccount({ organisation, payload: processGas })))._tag,
    'AccountAlreadyImported',
  )
  const other = { ...sample('gas-account'), external_account_number: 'other' }
  t.is((await left(useCases.stageAccount({ organisation, payload: other })))._tag, 'SupplierNotOngoing')
  const processOther = { ...processGas, external_account_number: 'other', operations_team_name: 'none' }
  t.is(
    (await left(useCases.processAccount({ organisation, payload: processOther })))._tag,
    'SupplierNotOngoing',
  )
  await right(useCases.operator.setSupplierStatus({ code: 'LEVANTE', status: 'ongoing' }))
  t.is((await left(useCases.processAccount({ organisation, payload: processOther })))._tag, 'NothingStaged')
  await right(useCases.stageAccount({ organisation, payload: other }))
  t.is(
    (await left(useCases.processAccount({ organisation, payload: processOther })))._tag,
    'OperationsTeamDoesNotExist',
  )
})

test('an unknown supplier joins the other entries of its request, in document order', async (t) => {
  const { useCases } = await service()
  const pairs = (refused: { _tag: string }) =>
    'errors' in refused
      ? (refused.errors as { attr: string; code: string }[]).map(({ attr, code }) => `${attr} ${code}`)
      : []
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

test('a store that fails while a supplier is looked up is never taken for a missing supplier', async (t) => {
  const { ports } = await service()
  const broken = makeUseCases({ ...ports, importSuppliers: failing(ports.importSuppliers, 'find') })
  for (const answer of [
    await left(broken.validateAccount({ organisation, payload: sample('gas-account') })),
    await left(broken.stageAccount({ organisation, payload: sample('gas-account') })),
    await left(broken.processAccount({ organisation, payload: processGas })),
    await left(broken.transferStatus(gasKey)),
  ])
    t.is(answer._tag, 'PortFailure')
})
