import { failing } from '@account-import/core/in-memory'
import { makeUseCases } from '@account-import/core'
import test from 'ava'
import {
  claimElsewhere,
  gasKey,
  left,
  organisation,
  processing,
  refusalOf,
  right,
  service,
} from './support/service.js'
import { sample } from './support/samples.js'

const day = 86_400

const gas = (number: string, supplier = 'LEVANTE') => ({
  organisation,
  payload: { ...sample('gas-account'), external_account_number: number, import_supplier: supplier },
})

const keyOf = (number: string, importSupplier = 'LEVANTE') => ({
  ...gasKey,
  importSupplier,
  externalAccountNumber: number,
})

/** A service with created accounts, a day after each other, and S-1 that is staged. */
const withAccounts = async () => {
  const { clock, ports, useCases } = await service()
  const keep = (retentionDays: number | undefined, code = 'LEVANTE') =>
    right(
      useCases.operator.configureSupplier({
        code,
        change: ({ retentionDays: _kept, ...settings }) => ({
          ...settings,
          ...(retentionDays !== undefined && { retentionDays }),
        }),
      }),
    )
  const create = async (number: string, supplier = 'LEVANTE') => {
    await right(useCases.stageAccount(gas(number, supplier)))
    const named = { external_account_number: number, import_supplier_code: supplier }
    await right(processing(useCases, { ...named }))
  }
  await create('A-1')
  clock.pass(day)
  await create('A-2')
  await right(useCases.stageAccount(gas('S-1')))
  const staged = async (...numbers: readonly string[]) => {
    const found = await Promise.all(
      numbers.map((number) => right(ports.accountImports.staged(keyOf(number)))),
    )
    return found.map((each) => each !== undefined)
  }
  return { clock, ports, useCases, keep, create, staged }
}

test('staged data of created accounts is removed when its days are over, not before', async (t) => {
  const { clock, useCases, keep, staged } = await withAccounts()
  t.is(await right(useCases.removeDuePayloads(10)), 0, 'it is kept for ever')
  await keep(3)
  clock.pass(2 * day - 1)
  t.is(await right(useCases.removeDuePayloads(10)), 0)
  clock.pass(1)
  t.is(await right(useCases.removeDuePayloads(10)), 1)
  t.deepEqual(await staged('A-1', 'A-2', 'S-1'), [false, true, true])
  clock.pass(day)
  t.is(await right(useCases.removeDuePayloads(10)), 1)
  clock.pass(1000 * day)
  t.is(await right(useCases.removeDuePayloads(10)), 0)
  t.deepEqual(await staged('A-1', 'A-2', 'S-1'), [false, false, true])
})

test('a limit holds for all suppliers together, and each has days of its own', async (t) => {
  const { useCases, keep, create, ports } = await withAccounts()
  await right(useCases.operator.createSupplier({ code: 'PONIENTE', organisation }))
  await right(useCases.operator.createSupplier({ code: 'ARCHIVE', organisation }))
  await create('B-1', 'PONIENTE')
  await create('C-1', 'ARCHIVE')
  await keep(0)
  await keep(0, 'PONIENTE')
  t.is(await right(useCases.removeDuePayloads(2)), 2)
  t.is(await right(useCases.removeDuePayloads(2)), 1)
  t.is(await right(useCases.removeDuePayloads(2)), 0)
  t.is((await right(ports.accountImports.staged(keyOf('C-1', 'ARCHIVE'))))?.version, 1)
})

test('one server does it, and another one when that has not come again for five minutes', async (t) => {
  const { clock, ports, useCases, keep, create } = await withAccounts()
  const other = makeUseCases(ports)
  t.is(await right(useCases.removeDuePayloads(10)), 0)
  await keep(0)
  clock.pass(299)
  t.is(await right(other.removeDuePayloads(10)), 0)
  t.is(await right(useCases.removeDuePayloads(10)), 2)
  await create('A-3')
  clock.pass(299)
  t.is(await right(other.removeDuePayloads(10)), 0)
  clock.pass(1)
  t.is(await right(other.removeDuePayloads(10)), 1)
  t.is(await right(useCases.removeDuePayloads(10)), 0)
})

test('a failure of the store is told, and the next time goes on', async (t) => {
  const { keep, useCases, ports } = await withAccounts()
  await keep(0)
  const broken = makeUseCases({ ...ports, personalData: failing(ports.personalData, 'removePayloads') })
  t.is(await refusalOf(broken.removeDuePayloads(10)), 'PortFailure')
  t.is(await right(useCases.removeDuePayloads(10)), 0, 'it is the turn of the other one')
})

test('lists, summary and status are as before when staged data is gone', async (t) => {
  const { useCases, keep, staged } = await withAccounts()
  const list = { organisation, importSupplier: 'LEVANTE' }
  const seen = async () => [
    await right(useCases.accountImportSummary(list)),
    await right(useCases.accountImportsPage({ ...list, list: 'all', after: undefined, limit: 10 })),
    await right(useCases.transferStatus(keyOf('A-1'))),
    await right(useCases.operator.showAccount(keyOf('A-1'))),
  ]
  const before = await seen()
  await keep(0)
  t.is(await right(useCases.removeDuePayloads(10)), 2, 'with no days it is removed at once')
  t.deepEqual(await staged('A-1', 'A-2', 'S-1'), [false, false, true])
  t.deepEqual(await seen(), before)
  t.like(await left(useCases.stageAccount(gas('A-1'))), { _tag: 'AccountAlreadyImported' })
})

test('what is in progress is not erased, nor what is being sent, nor what nobody knows', async (t) => {
  const { useCases, ports, clock } = await withAccounts()
  await claimElsewhere(ports, keyOf('S-1'))
  t.like(await left(useCases.operator.eraseSubject(keyOf('S-1'))), { _tag: 'AccountImportInProgress' })
  t.like(await left(useCases.operator.eraseSubject(keyOf('NOBODY'))), { _tag: 'DoesNotExist' })
  t.like(await left(useCases.operator.eraseSubject(keyOf('A-1', 'NOBODY'))), { _tag: 'DoesNotExist' })
  t.like(await left(useCases.operator.exportSubject(keyOf('NOBODY'))), { _tag: 'DoesNotExist' })
  t.like(await left(useCases.operator.previewErasure(keyOf('NOBODY'))), { _tag: 'DoesNotExist' })
  const email = {
    id: 'e',
    key: keyOf('A-1'),
    platformAccountNumber: 'P',
    language: 'es',
    enqueuedAt: clock.now(),
  }
  await right(ports.unitOfWork.run(({ outbox }) => outbox.enqueue([email])))
  await right(useCases.emails.claimDue(1))
  t.like(await left(useCases.operator.eraseSubject(keyOf('A-1'))), { _tag: 'EmailIsBeingSent' })
})
