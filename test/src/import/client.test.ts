import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  createClient,
  type BulkResult,
  type BulkResults,
  type Client,
  type StagedLine,
} from '@account-import/client'
import test, { type ExecutionContext } from 'ava'
import { openWorld, type World } from '../journeys/support/world.js'
import { startTcpProxy } from '../support/tcp-proxy.js'
import { obtained } from '../http/support/for-clients.js'
import { freePort } from '../servers/index.js'
import { gasAccount } from '../support/samples.js'
import { faultyProxy, type Fault } from './support/faulty-proxy.js'

type Bulk = World & Readonly<{ line(number: string): string }>

const bulk = async (t: ExecutionContext): Promise<Bulk> => {
  const world = await openWorld(t)
  return { ...world, line: (number) => JSON.stringify(gasAccount(world.supplier, number)) }
}

/** A client whose requests meet these faults, one after the other. */
const faulty = async (t: ExecutionContext, { baseUrl, apiKey }: World, faults: Fault[]) => {
  const proxy = await faultyProxy(t, baseUrl, faults)
  return { client: createClient({ baseUrl: proxy.baseUrl, apiKey }), seen: proxy.seen }
}

const all = async <Done>(results: BulkResults<Done>): Promise<readonly BulkResult<Done>[]> => {
  const read: BulkResult<Done>[] = []
  for await (const result of results) read.push(result)
  return read
}

const short = (result: BulkResult<StagedLine>): string =>
  result.outcome === 'stopped' ? `stopped ${result.failure.code}` : `${result.line} ${result.status}`

const numbers = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `N-${at}`)

test('each item has one result, in order, in any form, and line numbers count blank lines', async (t) => {
  const { client, supplier, line } = await bulk(t)
  const results = client.bulkStage([
    gasAccount(supplier, 'A'),
    line('B'),
    '  ',
    new TextEncoder().encode(line('C')),
    '{"no": "account"',
    JSON.stringify(gasAccount(supplier, 'D'), undefined, 2),
    `${line('A')}\n`,
  ])
  t.deepEqual((await all(results)).map(short), ['1 201', '2 201', '4 201', '5 400', '6 201', '7 200'])
  t.deepEqual(results.summary, { received: 6, created: 4, updated: 1, valid: 0, failed: 1, complete: true })
})

test('validating stores nothing, and processing creates each named account once and reports existing ones', async (t) => {
  const { client, supplier, team, line } = await bulk(t)
  t.deepEqual(
    (await all(client.bulkValidate([line('A'), '[]']))).map(({ outcome }) => outcome),
    ['done', 'failed'],
  )
  await all(client.bulkStage([line('A'), line('B'), line('C')]))
  const request = { import_supplier_code: supplier, operations_team_name: team }
  const trial = client.bulkProcess({ ...request, dry_run: true })
  t.true(
    (await all(trial)).every(
      (result) => result.outcome === 'done' && result.platformAccountNumber === undefined,
    ),
  )
  t.like(trial.summary, { received: 3, valid: 3, created: 0 })
  const created = await all(
    client.bulkProcess({ ...request, external_account_numbers: ['B', 'A', 'B', 'Z'] }),
  )
  t.deepEqual(
    created.map((result) =>
      result.outcome === 'stopped' ? '' : `${result.line} ${result.externalAccountNumber} ${result.status}`,
    ),
    ['1 B 201', '2 A 201', '3 Z 400'],
  )
  const again = await all(client.bulkProcess({ ...request, external_account_numbers: ['A'] }))
  const platform = created.find((result) => result.outcome === 'done' && result.externalAccountNumber === 'A')
  t.like(again, [
    {
      outcome: 'failed',
      code: 'account_already_imported',
      problem: {
        platform_account_number: (platform as { platformAccountNumber: string }).platformAccountNumber,
        same_data: true,
      },
    },
  ])
  t.like(await client.accountImportSummary(supplier), { body: { total: 3, staged: 1, created: 2 } })
})

for (const kind of ['break', 'end'] as const) {
  test(`a cut response (${kind}) is followed by a request for the items without a result`, async (t) => {
    const world = await bulk(t)
    const { client, seen } = await faulty(t, world, [
      { kind, lines: 3 },
      { kind, lines: 0 },
    ])
    const told: string[] = []
    const results = client.bulkStage(numbers(10).map(world.line), { onRetry: ({ code }) => told.push(code) })
    t.deepEqual(
      (await all(results)).map(short),
      numbers(10).map((_, at) => `${at + 1} ${at < 3 ? 201 : 200}`),
    )
    t.deepEqual([seen.map(({ lines }) => lines), told], [[10, 7, 7], Array(2).fill('answer_cut')])
  })

  test(`a cut response (${kind}) is reported as cut without retries, after the results so far`, async (t) => {
    const world = await bulk(t)
    const { client } = await faulty(t, world, [{ kind, lines: 2 }])
    const results = client.bulkStage(numbers(5).map(world.line), { retrySeconds: 0 })
    t.deepEqual((await all(results)).map(short), ['1 201', '2 201', 'stopped answer_cut'])
    t.like(results.summary, { received: 2, complete: false })
  })
}

test('a request is sent again after 429, 503 and 408, not before Retry-After', async (t) => {
  const world = await bulk(t)
  const { client } = await faulty(t, world, [
    { kind: 'answer', status: 429, headers: { 'Retry-After': '1' } },
    { kind: 'answer', status: 503 },
    { kind: 'answer', status: 408 },
  ])
  const waits: number[] = []
  const results = client.bulkStage([world.line('A')], { onRetry: (_, seconds) => waits.push(seconds) })
  t.deepEqual((await all(results)).map(short), ['1 201'])
  t.true((waits[0] ?? 0) > 1 && waits.length === 3, String(waits))
})

test('a deferred line is sent again before later ones of its account, so that the last one counts', async (t) => {
  const world = await bulk(t)
  const lines = ['A', 'B', 'A'].map(world.line)
  const { client, seen } = await faulty(t, world, [{ kind: 'busy line', line: 1 }])
  t.deepEqual((await all(client.bulkStage(lines))).map(short), ['1 200', '2 201', '3 200'])
  t.deepEqual(
    seen.map((each) => each.lines),
    [3, 2],
  )
  const impatient = await faulty(t, world, [{ kind: 'busy line', line: 1 }])
  const results = await all(impatient.client.bulkStage(lines, { retrySeconds: 0 }))
  t.deepEqual(results.map(short), ['1 409', '2 200', '3 200'])
})

test('processing all is repeated when the service has not begun, and not when that is unknown', async (t) => {
  const world = await bulk(t)
  await all(world.client.bulkStage(['A', 'B'].map(world.line)))
  const request = { import_supplier_code: world.supplier, operations_team_name: world.team }
  const { client, seen } = await faulty(t, world, [{ kind: 'answer', status: 503 }, { kind: 'lost' }])
  const results = client.bulkProcess(request)
  t.like(await all(results), [{ outcome: 'stopped', failure: { code: 'network' } }])
  t.is(seen.length, 2)
  t.false(results.summary.complete)
  t.like(await client.accountImportSummary(world.supplier), { body: { created: 2 } })
  const nobody = createClient({ baseUrl: `http://127.0.0.1:${await freePort()}`, apiKey: world.apiKey })
  let tries = 0
  const options = { retrySeconds: 1, onRetry: () => (tries += 1) }
  t.like(await all(nobody.bulkProcess(request, options)), [
    { outcome: 'stopped', failure: { code: 'network' } },
  ])
  t.true(tries > 0)
})

test('requests share a connection, also when the end of a response arrives late', async (t) => {
  const world = await bulk(t)
  const proxy = await faultyProxy(t, world.baseUrl, Array(6).fill({ kind: 'late end' }))
  const { port, connections, stop } = await startTcpProxy(Number(new URL(proxy.baseUrl).port))
  t.teardown(stop)
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: world.apiKey })
  for (const number of numbers(6)) await all(client.bulkStage([world.line(number)]))
  // One more for the token, which may be on its way when the first request begins.
  t.true(connections() <= 2, String(connections()))
})

test('a refusal is not tried again, and a wait beyond the limit is not begun', async (t) => {
  const world = await bulk(t)
  const long = { kind: 'answer', status: 503, headers: { 'Retry-After': '3600' } } as const
  const { client, seen } = await faulty(t, world, [{ kind: 'answer', status: 403 }, long])
  const stage = async (): Promise<string[]> => (await all(client.bulkStage([world.line('A')]))).map(short)
  t.deepEqual(
    [await stage(), await stage(), await stage()],
    [['stopped service_unavailable'], ['stopped service_unavailable'], ['1 201']],
  )
  t.is(seen.length, 3)
})

test('a refusal that ends the work has its error page', async (t) => {
  const { client, baseUrl } = await bulk(t)
  const request = { import_supplier_code: 'NOBODY', operations_team_name: 'T' }
  const [result] = await all(client.bulkProcess(request))
  t.like(result, {
    outcome: 'stopped',
    failure: { status: 400, docsUrl: `${baseUrl}/docs/errors/request_failed_validation/` },
  })
})

test('a refused token is renewed once', async (t) => {
  const world = await bulk(t)
  const { client, seen } = await faulty(t, world, [{ kind: 'answer', status: 401 }])
  t.deepEqual((await all(client.bulkStage([world.line('A')]))).map(short), ['1 201'])
  t.is(seen.length, 2)
})

test('a silent service is given up after the time-out', async (t) => {
  const world = await bulk(t)
  const { client } = await faulty(t, world, [{ kind: 'silence' }])
  const options = { silenceSeconds: 0.2, retrySeconds: 0 }
  t.deepEqual((await all(client.bulkStage([world.line('A')], options))).map(short), [
    'stopped service_silent',
  ])
})

test('the signal ends the work during a request and between two attempts', async (t) => {
  const world = await bulk(t)
  for (const fault of [{ kind: 'silence' }, { kind: 'answer', status: 503 }] as const) {
    const { client } = await faulty(t, world, [fault])
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 200)
    const results = client.bulkStage([world.line('A')], { signal: controller.signal })
    t.deepEqual((await all(results)).map(short), ['stopped aborted'])
  }
  const results = world.client.bulkStage([world.line('A')], { signal: AbortSignal.abort() })
  t.deepEqual((await all(results)).map(short), ['stopped aborted'])
})

test('the signal ends the wait for a silent source, and closes the source', async (t) => {
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

/** Endless accounts, and the number that was read. */
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
  // A consumer ends the iteration by leaving the loop.
  for await (const result of client.bulkStage(source)) if (result.outcome === 'done') return
}

test('a consumer that stops reading pauses reading and sending, and closes the source when it ends', async (t) => {
  const world = await bulk(t)
  const { client, seen } = await faulty(t, world, [])
  const { state, source } = endless(world)
  await stageOne(client, source)
  // One line more than the request holds, by which it is known to be full.
  t.deepEqual(state, { asked: (seen[0]?.lines ?? 0) + 1, closed: true })
  t.true(state.asked <= 1001)
  t.is(seen.length, 1)
})

test('requests have at most 5 MB except for a longer line, which fails alone', async (t) => {
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

test('the time that a consumer takes does not count for the time-out', async (t) => {
  const world = await bulk(t)
  const { client } = await faulty(t, world, [{ kind: 'end', lines: 1 }])
  const read: string[] = []
  for await (const result of client.bulkStage(['A', 'B'].map(world.line), { retrySeconds: 1 })) {
    read.push(result.outcome)
    await pause(1500)
  }
  t.deepEqual(read, ['done', 'done'])
})

/** A client of a service that responds in this number of chunks, each a line. */
const manyChunks = (count: number) => {
  const chunks: WeakRef<Uint8Array>[] = []
  const chunk = (value: object): Uint8Array => {
    const bytes = new TextEncoder().encode(`${JSON.stringify(value)}\n`)
    chunks.push(new WeakRef(bytes))
    return bytes
  }
  const next = (): Uint8Array =>
    chunks.length < count
      ? chunk({ line: chunks.length + 1, external_account_number: 'A', status: 201 })
      : chunk({ summary: { received: count, created: count, failed: 0 } })
  const fetch = async (url: unknown): Promise<Response> =>
    String(url).includes('graphql')
      ? Response.json(obtained)
      : new Response(new ReadableStream({ pull: (stream) => stream.enqueue(next()) }))
  return { client: createClient({ baseUrl: 'https://service.example', apiKey: 'k', fetch }), chunks }
}

const collectGarbage = async (): Promise<void> => {
  setFlagsFromString('--expose-gc')
  // Values that were read in this cycle of the event loop are kept until it ends.
  await pause(0)
  ;(runInNewContext('gc') as () => void)()
}

test('the client keeps nothing of the results that were read', async (t) => {
  const { client, chunks } = manyChunks(500)
  let read = 0
  for await (const result of client.bulkProcess({ import_supplier_code: 'S', operations_team_name: 'T' })) {
    t.is(result.outcome, 'done')
    if ((read += 1) < 400) continue
    await collectGarbage()
    break
  }
  const kept = chunks.filter((chunk) => chunk.deref() !== undefined).length
  t.true(kept < 150, `${kept} of ${chunks.length}`)
})
