import test from 'ava'
import { createdAccount, storedDetails } from '../journeys/support/additions.js'
import { registerBackends } from '../journeys/support/backends.js'
import { inShort, successOf } from '../support/results.js'
import { openWorld } from '../journeys/support/world.js'
import { counted } from './counted.js'

const clients = 20

/** What all clients send at once, each by itself. */
const byAll = <A>(send: () => Promise<A>): Promise<readonly A[]> =>
  Promise.all(Array.from({ length: clients }, send))

const timed = (index: number) =>
  index % 2 === 0 ? {} : { created_at: `2025-01-01T00:00:${String(index).padStart(2, '0')}Z` }

for (const backend of registerBackends()) {
  test.serial(
    `20 clients that send the same 50 notes at once: each is added once, and said so once (${backend.name})`,
    async (t) => {
      const world = await openWorld(t, backend)
      const { clientWith, apiKey, supplier } = world
      await createdAccount(world)
      const before = (await storedDetails(world)).notes.length
      const notes = Array.from({ length: 50 }, (_, index) => ({ body: `note ${index}`, ...timed(index) }))
      const request = { import_supplier: supplier, external_account_number: 'A-1', notes }
      const results = await byAll(() => clientWith(apiKey).addNotes(request))
      const outcomes = results.flatMap((result) => successOf(result).body)
      for (const { body } of notes)
        t.deepEqual(
          counted(outcomes.filter((outcome) => outcome.body === body).map(({ status }) => status)),
          { NOTE_ALREADY_EXISTS: clients - 1, NOTE_CREATION_SUCCESS: 1 },
          body,
        )
      const stored = (await storedDetails(world)).notes.slice(before)
      t.deepEqual(stored.map(({ body }) => body).sort(), notes.map(({ body }) => body).sort())
    },
  )

  test.serial(
    `20 clients that send overlapping lists of notes at once: each is added once (${backend.name})`,
    async (t) => {
      const world = await openWorld(t, backend)
      const { clientWith, apiKey, supplier } = world
      await createdAccount(world)
      const before = (await storedDetails(world)).notes.length
      let next = 0
      const results = await byAll(() => {
        const first = next++
        const notes = Array.from({ length: 20 }, (_, index) => ({ body: `note ${first + index}` }))
        return clientWith(apiKey).addNotes({
          import_supplier: supplier,
          external_account_number: 'A-1',
          notes: first % 2 === 0 ? notes : notes.reverse(),
        })
      })
      const outcomes = results.flatMap((result) => successOf(result).body)
      t.deepEqual(counted(outcomes.map(({ status }) => status)), {
        NOTE_ALREADY_EXISTS: 361,
        NOTE_CREATION_SUCCESS: 39,
      })
      const bodies = (await storedDetails(world)).notes.slice(before).map(({ body }) => body)
      t.deepEqual([bodies.length, new Set(bodies).size], [39, 39])
    },
  )

  test.serial(
    `20 clients that send the same statements at once: one is taken, the others are refused (${backend.name})`,
    async (t) => {
      const world = await openWorld(t, backend)
      const { clientWith, apiKey, supplier } = world
      await createdAccount(world)
      const before = (await storedDetails(world)).statements.length
      const statements = Array.from({ length: 50 }, (_, index) => ({
        bill_period_from_date: '2024-01-01',
        bill_period_to_date: '2024-01-31',
        statement_id: `H-${index}`,
      }))
      const request = { import_supplier: supplier, external_account_number: 'A-1', statements }
      const results = await byAll(() => clientWith(apiKey).addHistoricalStatements(request))
      t.deepEqual(counted(results.map(inShort)), {
        '201': 1,
        '400 request_failed_validation': clients - 1,
      })
      const stored = (await storedDetails(world)).statements.slice(before)
      t.deepEqual<unknown, unknown>(stored, statements)
    },
  )

  test.serial(
    `20 clients that send the same payment instruction at once: all hear the same, it is stored once (${backend.name})`,
    async (t) => {
      const world = await openWorld(t, backend)
      const { clientWith, apiKey, supplier } = world
      await createdAccount(world)
      const request = {
        import_supplier: supplier,
        external_account_number: 'A-1',
        vendor: 'SANDBOX',
        reference: 'sandbox-card-1',
        type: 'CARD' as const,
      }
      const results = await byAll(() => clientWith(apiKey).addPaymentInstruction(request))
      const bodies = results.map((result) => JSON.stringify(successOf(result).body))
      t.is(new Set(bodies).size, 1)
      t.is((await storedDetails(world)).payment_instructions.length, 1)
    },
  )
}
