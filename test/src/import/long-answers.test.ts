import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createClient } from '@account-import/client'
import { inMemoryStorePorts } from '@account-import/core/in-memory'
import test from 'ava'
import { openWorld } from '../journeys/support/world.js'
import { gasAccount } from '../support/samples.js'
import { faultyProxy } from './support/faulty-proxy.js'

test('the time that a consumer takes does not count as time in which nothing went on', async (t) => {
  const { baseUrl, apiKey, supplier } = await openWorld(t, { name: 'in memory', stores: inMemoryStorePorts })
  const proxy = await faultyProxy(t, baseUrl, [{ kind: 'end', lines: 1 }])
  const client = createClient({ baseUrl: proxy.baseUrl, apiKey })
  const read: string[] = []
  const accounts = ['A', 'B'].map((number) => gasAccount(supplier, number))
  for await (const result of client.bulkStage(accounts, { retrySeconds: 1 })) {
    read.push(result.outcome)
    await setTimeout(1500)
  }
  t.deepEqual(read, ['done', 'done'])
})

/** A client of a service that answers in so many chunks, a line each. */
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
  const fetch = async (url: unknown): Promise<Response> => {
    const expires = new Date(Date.now() + 3_600_000).toISOString()
    const obtainToken = { token: 't', expiresAt: expires, refreshToken: 'r', refreshExpiresAt: expires }
    return String(url).includes('graphql')
      ? Response.json({ data: { obtainToken } })
      : new Response(new ReadableStream({ pull: (stream) => stream.enqueue(next()) }))
  }
  return { client: createClient({ baseUrl: 'https://service.example', apiKey: 'k', fetch }), chunks }
}

const collectGarbage = async (): Promise<void> => {
  setFlagsFromString('--expose-gc')
  // What was looked at in this turn is kept until it ends.
  await setTimeout(0)
  ;(runInNewContext('gc') as () => void)()
}

test('nothing is kept of the part of an answer that was read', async (t) => {
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
