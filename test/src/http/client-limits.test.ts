import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { IncomingMessage } from 'node:http'
import {
  type BulkResults,
  type Client,
  createClient,
  type Failure,
  type JsonObject,
  type ProcessedLine,
  type Result,
  type StagedLine,
} from '@account-import/client'
import test, { type ExecutionContext } from 'ava'
import { failureIn, found, issuing, obtained } from './support/for-clients.js'
import { serve } from './support/serve.js'
import { listen } from '../support/http-server.js'
import { cliInProcess } from '../support/cli-in-process.js'

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

type Options = Readonly<{ signal?: AbortSignal }>

const calls: Readonly<
  Record<string, (client: Client, options?: Options) => Promise<Result<unknown> | undefined>>
> = {
  stageAccount: (client, options) => client.stageAccount(account, options),
  transferStatus: (client, options) => client.transferStatus('S', 'N', options),
  accountImportSummary: (client, options) => client.accountImportSummary('S', options),
  listAccountImports: (client, options) =>
    client.listAccountImports({ importSupplier: 'S', list: 'all' }, options),
  accountImportPages: async (client, options) => {
    const request = { importSupplier: 'S', list: 'all', limit: 10 } as const
    for await (const page of client.accountImportPages(request, options)) return page
    return undefined
  },
}

for (const [name, call] of Object.entries(calls)) {
  test(`${name} ends with service_silent when a server does not respond`, async (t) => {
    const client = createClient({ baseUrl: await silent(t), apiKey: 'k', silenceSeconds: 0.2 })
    const result = await call(client)
    t.is(result && failureIn(t, result).code, 'service_silent')
  })

  test(`${name} ends with aborted when its caller aborts it, before it begins or later`, async (t) => {
    const client = createClient({ baseUrl: await silent(t), apiKey: 'k' })
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    for (const signal of [AbortSignal.abort(), controller.signal]) {
      const result = await call(client, { signal })
      t.is(result && failureIn(t, result).code, 'aborted')
    }
  })
}

test('the request for a token ends when every call that waits for it is aborted, and the next call sends another', async (t) => {
  const baseUrl = await silent(t)
  const asked: AbortSignal[] = []
  const client = createClient({
    baseUrl,
    apiKey: 'k',
    fetch: (url, init) => {
      if (init?.signal instanceof AbortSignal) asked.push(init.signal)
      return fetch(url, init)
    },
  })
  const [first, second] = [new AbortController(), new AbortController()]
  const results = [first, second].map(({ signal }) => client.transferStatus('S', 'N', { signal }))
  await delay(50)
  first.abort()
  await results[0]
  t.deepEqual(
    asked.map(({ aborted }) => aborted),
    [false],
    'the second call still waits',
  )
  second.abort()
  await results[1]
  t.true(asked[0]?.aborted)
  t.is(
    failureIn(t, await client.transferStatus('S', 'N', { signal: AbortSignal.timeout(50) })).code,
    'aborted',
  )
  t.is(asked.length, 2)
})

test('a refresh token is not used again after its exchange was aborted: the next request for a token has the API key', async (t) => {
  const asked: string[] = []
  const stopping = new AbortController()
  let refuses = false
  const { baseUrl } = await serve(t, { ...issuing([]), transferStatus: found })
  const client = createClient({
    baseUrl,
    apiKey: 'k',
    fetch: async (url, init) => {
      const input = String(init?.body ?? '')
      if (input.includes('obtainToken')) asked.push(input.includes('refreshToken":') ? 'refresh' : 'key')
      const response = await fetch(url, init)
      if (refuses && input === '') return new Response('{}', { status: 401 })
      // The service has answered; the client is stopped before it reads that.
      if (asked.at(-1) === 'refresh' && input !== '') {
        stopping.abort()
        await delay(60_000, undefined, { signal: init?.signal ?? undefined })
      }
      return response
    },
  })
  t.like(await client.transferStatus('S', 'N'), { ok: true })
  refuses = true
  await client.transferStatus('S', 'N', { signal: stopping.signal })
  refuses = false
  t.like(await client.transferStatus('S', 'N'), { ok: true })
  t.deepEqual(asked, ['key', 'refresh', 'key'])
})

test('a limit of 0, or above the largest timer, waits for a response without end', async (t) => {
  const transferStatus: typeof found = async (key) => {
    await delay(200)
    return found(key)
  }
  const { baseUrl } = await serve(t, { ...issuing([]), transferStatus })
  for (const silenceSeconds of [0, Infinity, 3_000_000]) {
    const client = createClient({ baseUrl, apiKey: 'k', silenceSeconds })
    t.like(await client.transferStatus('S', 'N'), { ok: true }, `${silenceSeconds}`)
  }
})

test('a response that stops in the middle ends at the limit, and the next call has a limit of its own', async (t) => {
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

test('a request with a key is not repeated after its caller has aborted it', async (t) => {
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
  test(`createClient refuses the address "${baseUrl}"`, (t) => {
    t.throws(() => createClient({ baseUrl, apiKey: 'k' }), { instanceOf: TypeError, message: /baseUrl/ })
  })

test('createClient refuses an empty key', (t) => {
  t.throws(() => createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: '' }), { instanceOf: TypeError })
})

type Redirecting = Readonly<{ address: string; other: string; reached: IncomingMessage[] }>

/** A server that redirects every request to another one, which records its requests. */
const redirecting = async (t: ExecutionContext, status: number): Promise<Redirecting> => {
  const reached: IncomingMessage[] = []
  const other = await listen(t, (request, response) => {
    reached.push(request)
    response.end('{}')
  })
  const port = await listen(t, (request, response) => {
    const head = { Location: `http://localhost:${other}${request.url}?caught=yes` }
    // The token request succeeds, so that the request after it is redirected with the token.
    if (request.url !== '/late/v1/graphql/') response.writeHead(status, head).end()
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(obtained))
  })
  return { address: `http://127.0.0.1:${port}`, other: `http://localhost:${other}`, reached }
}

const bulkFailure = async (
  t: ExecutionContext,
  results: BulkResults<ProcessedLine | StagedLine>,
): Promise<Failure> => {
  for await (const result of results) if (result.outcome === 'stopped') return result.failure
  return t.fail('this should have stopped')
}

const redirected: Readonly<Record<string, (client: Client, t: ExecutionContext) => Promise<Failure>>> = {
  stageAccount: async (client, t) =>
    failureIn(t, await client.stageAccount({ import_supplier: 'S' } as JsonObject, { idempotencyKey: 'k' })),
  accountImportSummary: async (client, t) => failureIn(t, await client.accountImportSummary('S')),
  bulkStage: (client, t) => bulkFailure(t, client.bulkStage(['{}'])),
  bulkProcess: (client, t) =>
    bulkFailure(t, client.bulkProcess({ import_supplier_code: 'S', operations_team_name: 'T' })),
}

for (const status of [301, 302, 303, 307, 308])
  for (const [name, call] of Object.entries(redirected))
    test(`${name} does not follow ${status}: key, token and accounts do not reach the other host`, async (t) => {
      const { address, other, reached } = await redirecting(t, status)
      // The first address redirects the key, the second the request with its token.
      for (const baseUrl of [address, `${address}/late`]) {
        const failure = await call(createClient({ baseUrl, apiKey: 'aik_secret' }), t)
        t.like(failure, { code: 'redirected', status })
        t.true(failure.problem.detail.includes(`a redirect to ${other};`), failure.problem.detail)
      }
      t.deepEqual(reached, [])
    })

test('a redirect without a location, or to an address other than http and https, is a failure', async (t) => {
  for (const [location, named] of [
    [undefined, 'another address'],
    ['http://[', 'another address'],
    ['javascript:alert(1)', 'javascript:'],
  ] as const) {
    const port = await listen(t, (_, response) =>
      response.writeHead(302, location === undefined ? {} : { Location: location }).end(),
    )
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k' })
    const failure = failureIn(t, await client.accountImportSummary('S'))
    t.true(failure.problem.detail.includes(`a redirect to ${named};`), failure.problem.detail)
  }
})

test('a command ends at a redirect and names its location', async (t) => {
  const { address, other, reached } = await redirecting(t, 307)
  const environment = { ACCOUNT_IMPORT_API_KEY: 'aik_secret' }
  const { code, stderr } = await cliInProcess(['status', 'S', '--url', address], environment)
  t.is(code, 2)
  t.true(stderr.includes(`a redirect to ${other};`), stderr)
  t.deepEqual(reached, [])
})

for (const baseUrl of [
  'http://localhost',
  'http://LOCALHOST:8080/imports',
  'http://127.0.0.1:1',
  'http://127.255.0.3',
  'http://127.1',
  'http://[::1]:8080',
  'http://[0:0::1]',
  'https://import.example',
])
  test(`createClient accepts ${baseUrl}`, (t) => {
    t.notThrows(() => createClient({ baseUrl, apiKey: 'k' }))
  })

for (const baseUrl of [
  'http://import.example',
  'http://10.0.0.1',
  'http://127.0.0.1.example',
  'http://localhost.example',
  'http://notlocalhost',
  'http://0.0.0.0',
  'http://[::2]',
  'http://[::ffff:7f00:1]',
])
  test(`createClient accepts ${baseUrl} only with allowPlainHttp, and the command line only with --plain-http`, async (t) => {
    t.throws(() => createClient({ baseUrl, apiKey: 'k' }), {
      instanceOf: TypeError,
      message: /plain http:\/\/ .*allowPlainHttp/,
    })
    t.notThrows(() => createClient({ baseUrl, apiKey: 'k', allowPlainHttp: true }))
    for (const command of [
      ['status', 'S'],
      ['import', 'nothing.ndjson', '--team', 'T'],
      ['stage', 'nothing.ndjson'],
      ['process', '--supplier', 'S', '--team', 'T'],
    ]) {
      const environment = { ACCOUNT_IMPORT_API_KEY: 'k' }
      const { code, stderr } = await cliInProcess([...command, '--url', baseUrl], environment)
      t.is(code, 2)
      t.regex(stderr, /plain http:\/\/ .*--plain-http/)
    }
  })

test('--plain-http lets the command reach its next fault', async (t) => {
  const args = ['status', 'S', '--url', 'http://import.example', '--plain-http']
  const { stderr } = await cliInProcess(args, {})
  t.regex(stderr, /No API key: set the variable/)
})
