import type { Result } from '@account-import/client'
import { setTimeout } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { createdAccount, storedDetails } from '../../journeys/support/additions.js'
import { registerBackends } from '../../journeys/support/backends.js'
import { openWorld, type World } from '../../journeys/support/world.js'
import { inShort, successOf } from '../../support/results.js'
import { counted } from '../../support/counted.js'

type Client = World['client']

const many = <A>(count: number, make: (index: number) => A): readonly A[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** Clients that send at once, each by itself. */
const clients = 20

/** Repeats a request that is refused for now: on a busy machine, the last of many requests for one account may wait too long. */
const patiently = async <Body>(send: () => Promise<Result<Body>>): Promise<Result<Body>> => {
  for (;;) {
    const result = await send()
    if (result.ok || ![429, 503].includes(result.status)) return result
    await setTimeout((result.retryAfterSeconds ?? 1) * 1000)
  }
}

const withAccount = async (world: World) => {
  await createdAccount(world)
  const before = await storedDetails(world)
  const account = { import_supplier: world.supplier, external_account_number: 'A-1' }
  const byAll = <Body>(
    send: (client: Client, index: number) => Promise<Result<Body>>,
  ): Promise<readonly Result<Body>[]> =>
    Promise.all(many(clients, (index) => patiently(() => send(world.clientWith(world.apiKey), index))))
  return { before, account, byAll }
}

type Race = (t: ExecutionContext, world: World) => Promise<void>

/** Every second one is outside the open period. */
const transactions = many(50, (index) => ({
  transaction_id: `T-${index}`,
  transaction_date: index % 2 === 0 ? '2025-06-01' : '2024-01-01',
  amount: index,
  type: 'CREDIT' as const,
  reason: 'R',
}))

const gained = async (world: World, before: Awaited<ReturnType<typeof storedDetails>>) => {
  const after = await storedDetails(world)
  const current = (details: typeof before) => details.ledgers[0]?.current_statement_transactions ?? []
  return {
    ids: current(after)
      .slice(current(before).length)
      .map(({ transaction_id }) => transaction_id),
    notes: after.notes.slice(before.notes.length).map(({ body }) => body),
    statements: after.statements.slice(before.statements.length),
  }
}

const races: Readonly<Record<string, Race>> = {
  '20 clients that send the same 50 notes concurrently add each once, with one result of it': async (
    t,
    world,
  ) => {
    const { before, account, byAll } = await withAccount(world)
    const notes = many(50, (index) => ({
      body: `note ${index}`,
      ...(index % 2 === 1 && { created_at: `2025-01-01T00:00:${String(index).padStart(2, '0')}Z` }),
    }))
    const results = await byAll((client) => client.addNotes({ ...account, notes }))
    const outcomes = results.flatMap((result) => successOf(result).body)
    for (const { body } of notes)
      t.deepEqual(
        counted(outcomes.filter((outcome) => outcome.body === body).map(({ status }) => status)),
        { NOTE_ALREADY_EXISTS: clients - 1, NOTE_CREATION_SUCCESS: 1 },
        body,
      )
    const stored = (await gained(world, before)).notes
    t.deepEqual(stored.toSorted(), notes.map(({ body }) => body).sort())
  },

  '20 clients that send overlapping lists of notes concurrently add each once': async (t, world) => {
    const { before, account, byAll } = await withAccount(world)
    const results = await byAll((client, first) => {
      const notes = many(20, (index) => ({ body: `note ${first + index}` }))
      return client.addNotes({ ...account, notes: first % 2 === 0 ? notes : notes.toReversed() })
    })
    const outcomes = results.flatMap((result) => successOf(result).body)
    t.deepEqual(counted(outcomes.map(({ status }) => status)), {
      NOTE_ALREADY_EXISTS: 361,
      NOTE_CREATION_SUCCESS: 39,
    })
    const { notes } = await gained(world, before)
    t.deepEqual([notes.length, new Set(notes).size], [39, 39])
  },

  '20 clients that send the same statements concurrently: one is accepted, the others are refused': async (
    t,
    world,
  ) => {
    const { before, account, byAll } = await withAccount(world)
    const statements = many(50, (index) => ({
      bill_period_from_date: '2024-01-01',
      bill_period_to_date: '2024-01-31',
      statement_id: `H-${index}`,
    }))
    const results = await byAll((client) => client.addHistoricalStatements({ ...account, statements }))
    t.deepEqual(counted(results.map(inShort)), { '201': 1, '400 request_failed_validation': clients - 1 })
    t.deepEqual<unknown, unknown>((await gained(world, before)).statements, statements)
  },

  '20 clients that send the same payment instruction concurrently get the same result, and it is stored once':
    async (t, world) => {
      const { account, byAll } = await withAccount(world)
      const instruction = { vendor: 'SANDBOX', reference: 'sandbox-card-1', type: 'CARD' as const }
      const results = await byAll((client) => client.addPaymentInstruction({ ...account, ...instruction }))
      t.is(new Set(results.map((result) => JSON.stringify(successOf(result).body))).size, 1)
      t.is((await storedDetails(world)).payment_instructions.length, 1)
    },

  '20 clients that send the same 50 transactions concurrently add each once': async (t, world) => {
    const { before, account, byAll } = await withAccount(world)
    const answers = await byAll((client) => client.addTransactions({ ...account, transactions }))
    const statuses = answers.flatMap((each) => successOf(each).body.results.map(({ status }) => status))
    t.deepEqual(counted(statuses), {
      TRANSACTION_ADDED_TO_ACCOUNT: transactions.length,
      TRANSACTION_ALREADY_EXISTS: (clients - 1) * transactions.length,
    })
    const { ids, notes } = await gained(world, before)
    const sent = transactions.map(({ transaction_id }) => transaction_id)
    t.deepEqual(ids, sent, 'each once, in the order of the request')
    t.is(notes.length, 1, 'who moved them pinned the one note')
    t.is(notes[0]?.split('\n').length, 1 + transactions.length / 2)
  },

  '20 clients that add transactions again concurrently add all of them': async (t, world) => {
    const { before, account, byAll } = await withAccount(world)
    const answers = await byAll((client) =>
      client.addTransactions({ ...account, transactions }, { checkPreviouslyAdded: false }),
    )
    t.deepEqual(counted(answers.map(inShort)), { '201': clients })
    const { ids, notes } = await gained(world, before)
    const each = Object.values(counted(ids))
    t.deepEqual([each.length, ...new Set(each)], [transactions.length, clients])
    t.is(notes.length, clients, 'a note for each request')
    t.is(new Set(notes).size, clients, 'each of which tells its copies')
  },
}

for (const backend of registerBackends())
  for (const [title, race] of Object.entries(races))
    test.serial(`${title} (${backend.name})`, async (t) => race(t, await openWorld(t, backend)))
