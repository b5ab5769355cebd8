import test from 'ava'
import type { Ports } from '@account-import/core'
import { sample } from './support/samples.js'
import { gasKey, organisation, processGas, right, service, settableClock } from './support/service.js'

/** The first lies in the open period, the second is moved into it, so that a note is pinned. */
const payload = {
  import_supplier: gasKey.importSupplier,
  external_account_number: gasKey.externalAccountNumber,
  transactions: ['2025-05-01', '2020-01-01'].map((transaction_date, index) => ({
    transaction_id: `T-${index}`,
    transaction_date,
    amount: 1,
    type: 'PAYMENT',
  })),
}

const withAccount = async (yours: Partial<Ports> = {}) => {
  const made = await service(yours)
  await right(made.useCases.stageAccount({ organisation, payload: sample('gas-account') }))
  await right(made.useCases.processAccount({ organisation, payload: processGas }))
  return made
}

const stored = async ({ accounts }: Ports) => (await right(accounts.find(gasKey)))?.details

test('the note is pinned though somebody has written one with the very words before', async (t) => {
  const { ports, useCases } = await withAccount()
  await right(useCases.addTransactions({ organisation, payload }))
  const body = (await stored(ports))?.notes.at(-1)?.body ?? ''
  const clock = settableClock()
  const other = await withAccount({ clock })
  const note = {
    import_supplier: gasKey.importSupplier,
    external_account_number: gasKey.externalAccountNumber,
  }
  await right(other.useCases.addNotes({ organisation, payload: { ...note, notes: [{ body }] } }))
  clock.pass(1)
  await right(other.useCases.addTransactions({ organisation, payload }))
  t.deepEqual(
    (await stored(other.ports))?.notes.filter((each) => each.body === body).map((each) => each.is_pinned),
    [false, true],
  )
})

test('who embeds the use case may leave the options out: both are on', async (t) => {
  const { useCases } = await withAccount()
  await right(useCases.addTransactions({ organisation, payload }))
  const again = await right(useCases.addTransactions({ organisation, payload }))
  t.deepEqual([...new Set(again.results.map(({ status }) => status))], ['TRANSACTION_ALREADY_EXISTS'])
})
