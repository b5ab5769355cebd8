import { type AddedItems, type LockableAccounts, portFailure, type UnitOfWork } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { inMemoryPaymentVendors, inMemoryPorts, inMemoryStorePorts } from '@account-import/core/in-memory'
import test from 'ava'
import { gasKey, left, organisation, processing, right, sample, service, staging } from './support/service.js'

const transaction = (transaction_id: string, transaction_date: string) => ({
  transaction_id,
  transaction_date,
  amount: 1,
  type: 'PAYMENT',
})

const samples = {
  addNotes: sample('notes'),
  addHistoricalStatements: sample('historical-statements'),
  addPaymentInstruction: sample('payment-instruction'),
  // The first is in the open period, the second is moved into it, so that a note is pinned.
  addTransactions: {
    ...sample('transactions'),
    transactions: [transaction('T-0', '2025-05-01'), transaction('T-1', '2020-01-01')],
  },
}

const names = ['addNotes', 'addHistoricalStatements', 'addPaymentInstruction', 'addTransactions'] as const
type Name = (typeof names)[number]

const reference = String(samples.addPaymentInstruction['reference'])
const verified = { _tag: 'verified', details: { brand: 'visa' } } as const
const paymentVendors = inMemoryPaymentVendors(new Map([['SANDBOX', new Map([[reference, verified]])]]))

type Told = Awaited<ReturnType<NonNullable<LockableAccounts['itemsAdded']>>>

test('a platform is told once a request of the items that are added, and refuses them all', async (t) => {
  const told: Partial<AddedItems>[] = []
  let outcome: Told = E.right('agreed')
  const inner = inMemoryPorts()
  const itemsAdded: LockableAccounts['itemsAdded'] = async ({ key }, items) => {
    t.deepEqual(key, gasKey)
    told.push(items)
    return outcome
  }
  const unitOfWork: UnitOfWork = {
    run: (organisation, work) =>
      inner.unitOfWork.run(organisation, (stores) =>
        work({ ...stores, accounts: { ...stores.accounts, itemsAdded } }),
      ),
  }
  const { useCases, ports } = await service({ ...inner, paymentVendors, unitOfWork })
  await right(staging(useCases))
  await right(processing(useCases))
  const add = (name: Name) => useCases[name]({ organisation, payload: samples[name] })
  const details = async () => (await right(ports.accounts.find(gasKey)))?.details
  const before = await details()
  const away = portFailure('unavailable', 'accounts', 'itemsAdded', new Error('away'))
  const refusals: readonly (readonly [Told, unknown])[] = [
    [E.right('refused_by_platform'), { _tag: 'RefusedByPlatform' }],
    [E.left(away), away],
  ]
  for (const [refused, expected] of refusals) {
    outcome = refused
    for (const name of names) t.deepEqual<unknown, unknown>(await left<unknown, unknown>(add(name)), expected)
    t.deepEqual(await details(), before)
  }
  told.length = 0
  outcome = E.right('agreed')
  for (const name of names) await right<unknown, unknown>(add(name))
  t.deepEqual(
    told.map((items) => Object.entries(items).map(([kind, { length }]) => `${kind} ${length}`)),
    [['notes 4'], ['statements 2'], ['payment_instructions 1'], ['transactions 2', 'notes 1']],
  )
  const [ledger] = (await details())?.ledgers ?? []
  t.deepEqual(
    told[3]?.transactions?.map((each) => each.transaction),
    ledger?.current_statement_transactions.slice(-2),
  )
  // What the account has already adds nothing.
  for (const name of ['addNotes', 'addPaymentInstruction', 'addTransactions'] as const)
    await right<unknown, unknown>(add(name))
  t.is(told.length, 4)
})

test('an erasure that the platform does not allow is refused', async (t) => {
  const { personalData, ...stores } = inMemoryStorePorts()
  const erase = async () => E.right({ _tag: 'refused_by_platform' } as const)
  const { useCases } = await service({ ...stores, personalData: { ...personalData, erase } })
  await right(staging(useCases))
  t.deepEqual(await left(useCases.operator.eraseSubject(gasKey)), { _tag: 'RefusedByPlatform' })
})
