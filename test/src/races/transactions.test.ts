import test from 'ava'
import { registerBackends } from '../journeys/support/backends.js'
import { inShort, successOf } from '../support/results.js'
import { gasAccount } from '../support/samples.js'
import { openWorld, type World } from '../journeys/support/world.js'
import { answer } from '../support/answers.js'
import { counted } from './counted.js'

const clients = 20
const items = 50

const createdAccount = async ({ client, supplier, process }: World): Promise<void> => {
  await client.stageAccount(gasAccount(supplier, 'A-1'))
  const processed = await process('A-1')
  if (!processed.ok) throw new Error(processed.code)
}

/** Every second one lies outside the open period. */
const batch = Array.from({ length: items }, (_, index) => ({
  transaction_id: `T-${index}`,
  transaction_date: index % 2 === 0 ? '2025-06-01' : '2024-01-01',
  amount: index,
  type: 'CREDIT' as const,
  reason: 'R',
}))

/** What the account got beside what it was created with. */
const gained = async ({ stores, key, supplier, client, process }: World) => {
  await client.stageAccount(gasAccount(supplier, 'like it'))
  await process('like it')
  const [account, like] = [
    await answer(stores.accounts.find(key('A-1'))),
    await answer(stores.accounts.find(key('like it'))),
  ]
  const currentOf = (found: typeof account) => found?.details.ledgers[0]?.current_statement_transactions ?? []
  return {
    ids: currentOf(account)
      .slice(currentOf(like).length)
      .map(({ transaction_id }) => transaction_id),
    notes: account?.details.notes.slice(like?.details.notes.length) ?? [],
  }
}

for (const backend of registerBackends()) {
  test.serial(
    `${clients} clients that send the same ${items} transactions at once add each once (${backend.name})`,
    async (t) => {
      const world = await openWorld(t, backend)
      const { clientWith, apiKey, supplier } = world
      await createdAccount(world)
      const request = { import_supplier: supplier, external_account_number: 'A-1', transactions: batch }
      const answers = await Promise.all(
        Array.from({ length: clients }, () => clientWith(apiKey).addTransactions(request)),
      )
      const statuses = answers.flatMap((each) => successOf(each).body.results.map(({ status }) => status))
      t.deepEqual(counted(statuses), {
        TRANSACTION_ADDED_TO_ACCOUNT: items,
        TRANSACTION_ALREADY_EXISTS: (clients - 1) * items,
      })
      const { ids, notes } = await gained(world)
      t.deepEqual(
        ids,
        batch.map(({ transaction_id }) => transaction_id),
        'each once, in the order of the request',
      )
      t.is(notes.length, 1, 'who moved them pinned the one note')
      t.is(notes[0]?.body?.split('\n').length, 1 + items / 2)
    },
  )

  test.serial(
    `${clients} clients that add transactions again at once add all of them (${backend.name})`,
    async (t) => {
      const world = await openWorld(t, backend)
      const { clientWith, apiKey, supplier } = world
      await createdAccount(world)
      const request = { import_supplier: supplier, external_account_number: 'A-1', transactions: batch }
      const answers = await Promise.all(
        Array.from({ length: clients }, () =>
          clientWith(apiKey).addTransactions(request, { checkPreviouslyAdded: false }),
        ),
      )
      t.deepEqual(counted(answers.map(inShort)), { '201': clients })
      const { ids, notes } = await gained(world)
      const each = Object.values(counted(ids))
      t.deepEqual([each.length, ...new Set(each)], [items, clients])
      t.is(notes.length, clients, 'a note for each request')
      t.is(new Set(notes.map(({ body }) => body)).size, clients, 'each of which tells its copies')
    },
  )
}
