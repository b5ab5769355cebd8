import type { Client } from '@account-import/client'
import test from 'ava'
import { gasAccount } from '../support/samples.js'
import { all, bulk, faulty, short, type Bulk } from './support/bulk-client.js'

test('the signal ends the wait for a source that gives nothing more, and tells it so', async (t) => {
  const { client, line } = await bulk(t)
  const state = { closed: false }
  const source: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => {
      let given = 0
      return {
        next: () =>
          (given += 1) === 1 ? Promise.resolve({ value: line('A') }) : new Promise(() => undefined),
        return: () => {
          state.closed = true
          return new Promise(() => undefined)
        },
      }
    },
  }
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 100)
  const results = client.bulkStage(source, { signal: controller.signal })
  t.deepEqual((await all(results)).map(short), ['stopped aborted'])
  t.true(state.closed)
  t.false(results.summary.complete)
})

/** Accounts without end, and how many were asked for. */
const endless = ({ line }: Bulk) => {
  const state = { asked: 0, closed: false }
  async function* source(): AsyncGenerator<string> {
    try {
      for (;;) yield line(`N-${(state.asked += 1)}`)
    } finally {
      state.closed = true
    }
  }
  return { state, source: source() }
}

const stageOne = async (client: Client, source: AsyncIterable<string>): Promise<void> => {
  // Leaving the loop is how a consumer says that it wants no more.
  for await (const result of client.bulkStage(source)) if (result.outcome === 'done') return
}

test('a consumer that reads no further lets no more be read or sent, and closes the source when it leaves', async (t) => {
  const world = await bulk(t)
  const { client, seen } = await faulty(t, world, [])
  const { state, source } = endless(world)
  await stageOne(client, source)
  // One line more than the request holds, by which it is known to be full.
  t.deepEqual(state, { asked: (seen[0]?.lines ?? 0) + 1, closed: true })
  t.true(state.asked <= 1001)
  t.is(seen.length, 1)
})

test('requests hold at most 5 MB, but for a longer line, which fails alone', async (t) => {
  const world = await bulk(t)
  const { client, seen } = await faulty(t, world, [])
  const wide = JSON.stringify({ ...gasAccount(world.supplier, 'W'), wide: 'x'.repeat(2_000_000) })
  const tooWide = JSON.stringify({ wide: 'x'.repeat(5_300_000) })
  const results = await all(client.bulkStage([wide, wide, wide, tooWide, world.line('A')]))
  t.deepEqual(results.map(short), ['1 201', '2 200', '3 200', '4 413', '5 201'])
  t.deepEqual(
    seen.map(({ lines }) => lines),
    [2, 1, 1, 1],
  )
})

test('an error of the source is thrown to the consumer', async (t) => {
  const { client, line } = await bulk(t)
  async function* source(): AsyncGenerator<string> {
    yield line('A')
    throw new Error('the source broke')
  }
  await t.throwsAsync(all(client.bulkStage(source())), { message: 'the source broke' })
})
