import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient, type Client, type Result } from '@account-import/client'
import test, { type ExecutionContext } from 'ava'
import { failureIn, found, issuing } from './support/for-clients.js'
import { serve } from './support/serve.js'

/** The address of a server that takes connections and never answers. */
const silent = async (t: ExecutionContext): Promise<string> => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    t.teardown(() => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  return typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : t.fail()
}

const account = { import_supplier: 'S', external_account_number: 'N' }

const calls: Readonly<
  Record<string, (client: Client, signal?: AbortSignal) => Promise<Result<unknown> | undefined>>
> = {
  stageAccount: (client, signal) => client.stageAccount(account, signal === undefined ? {} : { signal }),
  transferStatus: (client, signal) => client.transferStatus('S', 'N', signal === undefined ? {} : { signal }),
  accountImportSummary: (client, signal) =>
    client.accountImportSummary('S', signal === undefined ? {} : { signal }),
  listAccountImports: (client, signal) =>
    client.listAccountImports({ importSupplier: 'S', list: 'all' }, signal === undefined ? {} : { signal }),
  accountImportPages: async (client, signal) => {
    const request = { importSupplier: 'S', list: 'all', limit: 10 } as const
    for await (const page of client.accountImportPages(request, signal === undefined ? {} : { signal }))
      return page
    return undefined
  },
}

for (const [name, call] of Object.entries(calls)) {
  test(`${name} ends with service_silent on a server that does not answer`, async (t) => {
    const client = createClient({ baseUrl: await silent(t), apiKey: 'k', silenceSeconds: 0.2 })
    const result = await call(client)
    t.is(result && failureIn(t, result).code, 'service_silent')
  })

  test(`${name} ends with aborted when its caller wants that, before it began or later`, async (t) => {
    const client = createClient({ baseUrl: await silent(t), apiKey: 'k' })
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    for (const signal of [AbortSignal.abort(), controller.signal]) {
      const result = await call(client, signal)
      t.is(result && failureIn(t, result).code, 'aborted')
    }
  })
}

test('with a limit of 0, or of more than a timer can be set for, an answer is waited for', async (t) => {
  const transferStatus: typeof found = (key) => async () => {
    await delay(200)
    return found(key)()
  }
  const { baseUrl } = await serve(t, { ...issuing([]), transferStatus })
  for (const silenceSeconds of [0, Infinity, 3_000_000]) {
    const client = createClient({ baseUrl, apiKey: 'k', silenceSeconds })
    t.like(await client.transferStatus('S', 'N'), { ok: true }, `${silenceSeconds}`)
  }
})

test('an answer that stops in the middle is not waited for either, and the next call has its own time', async (t) => {
  const { baseUrl } = await serve(t, { ...issuing([]), transferStatus: found })
  let stops = false
  const client = createClient({
    baseUrl,
    apiKey: 'k',
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      return stops ? new Response(new ReadableStream(), response) : response
    },
  })
  t.like(await client.transferStatus('S', 'N'), { ok: true })
  stops = true
  t.is(failureIn(t, await client.transferStatus('S', 'N', { silenceSeconds: 0.2 })).code, 'service_silent')
  stops = false
  t.like(await client.transferStatus('S', 'N'), { ok: true })
})

test('a request with a key is not repeated once its caller has ended it', async (t) => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k' })
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 50)
  const result = await client.stageAccount(account, { idempotencyKey: 'k-1', signal: controller.signal })
  t.is(failureIn(t, result).code, 'aborted')
})

for (const baseUrl of [
  '',
  'localhost:8080',
  'ftp://import.example',
  'http://u:p@import.example',
  'http://x/?a=1',
])
  test(`a client is not made for the address "${baseUrl}"`, (t) => {
    t.throws(() => createClient({ baseUrl, apiKey: 'k' }), { instanceOf: TypeError, message: /baseUrl/ })
  })

test('a client is not made with an empty key', (t) => {
  t.throws(() => createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: '' }), { instanceOf: TypeError })
})
