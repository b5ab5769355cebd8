import test from 'ava'
import { makeUseCases, type Ports } from '@account-import/core'
import { failingCall } from './support/failing-call.js'
import { sample } from './support/samples.js'
import { gasKey, organisation, processGas, right, service, settableClock } from './support/service.js'

const mostCalls = 20

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

for (const kind of ['unavailable', 'unexpected'] as const)
  test(`whichever port call of adding transactions fails (${kind}), neither they nor their note are there`, async (t) => {
    let calls = 0
    for (let nth = 1; nth <= mostCalls; nth += 1) {
      const { ports, useCases } = await withAccount()
      const before = await stored(ports)
      const broken = failingCall(ports, nth, kind)
      const answer = await makeUseCases(broken.ports).addTransactions({ organisation, payload })()
      if (!broken.hit()) break
      calls += 1
      t.is(answer._tag === 'Left' ? answer.left._tag : answer._tag, 'PortFailure', `call ${nth}`)
      t.deepEqual(await stored(ports), before, `call ${nth}`)
      const { results } = await right(useCases.addTransactions({ organisation, payload }))
      t.deepEqual(
        results.map(({ status }) => status),
        ['TRANSACTION_ADDED_TO_ACCOUNT', 'TRANSACTION_ADDED_TO_ACCOUNT'],
      )
      t.is((await stored(ports))?.notes.length, (before?.notes.length ?? 0) + 1)
    }
    // The supplier, the lock, what is known, the insert; is the note there, the note.
    t.is(calls, 6)
  })

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
