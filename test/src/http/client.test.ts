import { createClient, type JsonObject } from '@account-import/client'
import { type AccountKey, type Credentials, portFailure, type UseCases } from '@account-import/core'
import { E } from '@account-import/core/fp'
import test, { type ExecutionContext } from 'ava'
import { failureIn, found, issuing, obtained as tokens } from './support/for-clients.js'
import { serve } from './support/serve.js'
import { authenticate, unforeseen } from './support/some-use-cases.js'
import { answeringOnce } from './support/answering-once.js'
import { listen } from '../support/http-server.js'

test('every method returns its success with status, warnings and request id', async (t) => {
  const warnings = Array.from({ length: 30 }, (_, i) => ({
    detail: 'd',
    code: 'unknown_field' as const,
    attr: `x${i}`,
  }))
  const { baseUrl } = await serve(
    t,
    {
      ...issuing([]),
      transferStatus: found,
      validateAccount: async ({ payload }) => E.right({ account: { payload }, ...unforeseen, warnings }),
      stageAccount: async () =>
        E.right({ outcome: 'replaced', importSupplier: 'S', externalAccountNumber: 'N', warnings: [] }),
      processAccount: async () => E.right({ platformAccountNumber: 'A-1', warnings: [] }),
    },
    { basePath: '/imports' },
  )
  const client = createClient({ baseUrl: `${baseUrl}/imports/`, apiKey: 'k' })
  const valid = await client.validateAccount({ a: 1 } as JsonObject)
  t.like(valid, { ok: true, status: 200, body: { payload: { a: 1 } }, warningsTotal: 30 })
  t.true(valid.ok && valid.warnings.length === 20 && valid.requestId.length === 36)
  t.like(await client.stageAccount({} as JsonObject), {
    status: 200,
    body: { import_supplier: 'S', external_account_number: 'N' },
    warnings: [],
  })
  t.like(await client.processAccount({} as JsonObject), {
    status: 201,
    body: { platform_account_number: 'A-1' },
  })
  t.like(await client.transferStatus('S', 'N'), { status: 200, body: { status: 'COMPLETED' } })
})

test('warnings are returned when data failed validation too, and none when nothing was validated', async (t) => {
  const entry = { detail: 'd', attr: 'customers' }
  const { baseUrl } = await serve(t, {
    ...issuing([]),
    validateAccount: async () =>
      E.left({
        _tag: 'AccountFailedValidation',
        errors: [{ ...entry, code: 'required' }],
        warnings: [{ ...entry, code: 'required_user_role' }],
      }),
    stageAccount: async () => E.left({ _tag: 'SupplierNotOngoing' }),
  })
  const client = createClient({ baseUrl, apiKey: 'k' })
  t.like(await client.validateAccount({} as JsonObject), {
    ok: false,
    code: 'account_failed_validation',
    warnings: [{ attr: 'customers', code: 'required_user_role' }],
    warningsTotal: 1,
  })
  t.like(await client.stageAccount({} as JsonObject), { ok: false, warnings: [], warningsTotal: 0 })
  const nowhere = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k' })
  t.like(await nowhere.validateAccount({} as JsonObject), { code: 'network', warnings: [], warningsTotal: 0 })
})

test('identifiers reach the service unchanged, and those that no URL can carry are refused', async (t) => {
  const keys: AccountKey[] = []
  const { baseUrl } = await serve(t, {
    ...issuing([]),
    transferStatus: (key) => {
      keys.push(key)
      return found(key)
    },
  })
  const client = createClient({ baseUrl, apiKey: 'k' })
  const names = ['a/b', 'a%2Fb', 'x ', 'é', 'e\u0301', '?#&', '...', 'a\\b']
  for (const name of names) t.true((await client.transferStatus('S/1', name)).ok)
  t.deepEqual(
    keys.map(({ externalAccountNumber }) => externalAccountNumber),
    names,
  )
  for (const name of ['', '.', '..', '\ud800']) {
    const failure = failureIn(t, await client.transferStatus('S', name))
    t.is(`${failure.status} ${failure.problem.code}`, '0 address_not_possible')
    t.is(failure.docsUrl, undefined, 'what the client itself finds has no page')
  }
})

test('a refusal has its code and the address of its error page', async (t) => {
  const refusing = {
    ...issuing([]),
    stageAccount: async () => E.left({ _tag: 'AccountMarkedToSkip' as const }),
  }
  const { baseUrl } = await serve(t, refusing, { basePath: '/imports' })
  const client = createClient({ baseUrl: `${baseUrl}/imports/`, apiKey: 'k' })
  const { code, docsUrl } = failureIn(t, await client.stageAccount({} as JsonObject))
  t.is(code, 'account_marked_to_skip')
  t.is(docsUrl, `${baseUrl}/imports/docs/errors/account_marked_to_skip/`)
  t.regex(await (await fetch(docsUrl ?? '')).text(), /The operator marked this account/)
})

test('a code of a newer service is unknown, and stays in the problem', async (t) => {
  const port = await listen(t, (_, response) => {
    response.writeHead(400, { 'Content-Type': 'application/json' })
    response.end('{"detail":"New.","code":"of_tomorrow","errors":[]}')
  })
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k' })
  const failure = failureIn(t, await client.stageAccount({} as JsonObject))
  t.is(failure.code, 'unknown_code')
  t.is(failure.problem.code, 'of_tomorrow')
  t.is(failure.docsUrl, undefined)
})

test('a problem has its extra members, its Retry-After and its request id', async (t) => {
  const { baseUrl } = await serve(t, {
    ...issuing([]),
    stageAccount: async () =>
      E.left({
        _tag: 'AccountAlreadyImported',
        externalAccountNumber: 'N',
        platformAccountNumber: 'A-1',
        sameData: false,
      }),
    processAccount: async () => E.left({ _tag: 'ConcurrencyLimitReached', retryAfterSeconds: 7 }),
  })
  const client = createClient({ baseUrl, apiKey: 'k' })
  const imported = failureIn(t, await client.stageAccount({} as JsonObject))
  t.is(imported.status, 400)
  const named = { code: 'account_already_imported', platform_account_number: 'A-1', same_data: false }
  t.like(imported.problem, named)
  t.is(imported.requestId.length, 36)
  t.like(await client.processAccount({} as JsonObject), { status: 429, retryAfterSeconds: 7 })
})

const itemsFrom = (start: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    externalAccountNumber: String(start + i).padStart(4, '0'),
    platformAccountNumber: undefined,
    accountCreatedAt: undefined,
  }))

const listing: Pick<UseCases, 'allAccountImports' | 'accountImportsPage'> = {
  allAccountImports: async () =>
    E.right(
      (async function* () {
        yield itemsFrom(0, 1000)
        yield itemsFrom(1000, 500)
      })(),
    ),
  accountImportsPage: async ({ after, limit }) => {
    const from = after === undefined ? 0 : Number(after) + 1
    if (from >= 800) return E.left(portFailure('unavailable', 'accountImports', 'page', 'x'))
    const items = itemsFrom(from, limit)
    return E.right({ items, next: items.at(-1)?.externalAccountNumber })
  },
}

test('a list is read whole, or page by page until a failure ends it', async (t) => {
  const { baseUrl } = await serve(t, { ...issuing([]), ...listing })
  const client = createClient({ baseUrl, apiKey: 'k' })
  const whole = await client.listAccountImports({ importSupplier: 'S', list: 'pending' })
  t.is(whole.ok ? whole.body.length : 0, 1500)
  const seen: unknown[] = []
  for await (const page of client.accountImportPages({ importSupplier: 'S', list: 'all', limit: 400 }))
    seen.push(page.ok ? page.body[0]?.external_account_number : page.problem.code)
  t.deepEqual(seen, ['0000', '0400', 'service_unavailable'])
})

test('a service that is unreachable or closes the connection is a network failure with its cause', async (t) => {
  const { baseUrl } = await serve(t, {
    ...issuing([]),
    allAccountImports: async () =>
      E.right(
        (async function* () {
          yield itemsFrom(0, 1000)
          throw new Error('gone')
        })(),
      ),
  })
  const client = createClient({ baseUrl, apiKey: 'k' })
  const broken = failureIn(t, await client.listAccountImports({ importSupplier: 'S', list: 'all' }))
  const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k' })
  const absent = failureIn(t, await nobody.stageAccount({} as JsonObject))
  for (const { status, problem, cause } of [broken, absent]) {
    t.is(`${status} ${problem.code}`, '0 network')
    t.true(cause instanceof Error)
  }
})

test('a response that the service does not declare is unexpected', async (t) => {
  const answers = ['<html>', '{}', '[]', 'null', '{"detail":1,"code":"x","errors":[]}']
  for (const text of answers) {
    const odd = createClient({
      baseUrl: 'https://nowhere',
      apiKey: 'k',
      fetch: async (input) =>
        new Request(input).url.endsWith('/graphql/')
          ? Response.json(tokens)
          : new Response(text, { status: 200 }),
    })
    const failure = failureIn(t, await odd.processAccount({} as JsonObject))
    t.is(`${failure.status} ${failure.problem.code}`, '200 unexpected_answer')
  }
  const noService = createClient({
    baseUrl: 'https://nowhere',
    apiKey: 'k',
    fetch: async () => new Response('x'),
  })
  t.is(failureIn(t, await noService.stageAccount({} as JsonObject)).problem.code, 'unexpected_answer')
})

test('concurrent requests share one token and one request for it', async (t) => {
  const obtained: Credentials[] = []
  const { baseUrl } = await serve(t, { ...issuing(obtained), transferStatus: found })
  const client = createClient({ baseUrl, apiKey: 'k' })
  const results = await Promise.all(Array.from({ length: 20 }, () => client.transferStatus('S', 'N')))
  t.true(results.every(({ ok }) => ok))
  t.deepEqual(obtained, [{ apiKey: 'k' }])
})

test('a token that has expired is renewed once by its refresh token', async (t) => {
  const obtained: Credentials[] = []
  let expired = 1
  const { baseUrl } = await serve(t, {
    ...issuing(obtained),
    transferStatus: found,
    authenticate: async (token) => (expired-- > 0 ? E.left({ _tag: 'TokenExpired' }) : authenticate(token)),
  })
  const client = createClient({ baseUrl, apiKey: 'k' })
  t.true((await client.transferStatus('S', 'N')).ok)
  t.deepEqual(obtained, [{ apiKey: 'k' }, { refreshToken: 'refresh-1' }])
  expired = 1000
  const failure = failureIn(t, await client.transferStatus('S', 'N'))
  t.is(failure.problem.code, 'token_expired')
  t.is(expired, 998)
})

test('the API key is used when the refresh token is refused', async (t) => {
  const obtained: Credentials[] = []
  let expired = 1
  const { obtainToken } = issuing(obtained)
  const { baseUrl } = await serve(t, {
    transferStatus: found,
    authenticate: async (token) => (expired-- > 0 ? E.left({ _tag: 'TokenExpired' }) : authenticate(token)),
    obtainToken: async (request) =>
      'refreshToken' in request.credentials ? E.left({ _tag: 'AuthenticationFailed' }) : obtainToken(request),
  })
  t.true((await createClient({ baseUrl, apiKey: 'k' }).transferStatus('S', 'N')).ok)
  t.deepEqual(obtained, [{ apiKey: 'k' }, { apiKey: 'k' }])
})

const keyFailures = [
  [{ _tag: 'AuthenticationFailed' }, '401 authentication_failed', undefined],
  [{ _tag: 'TooManyAttempts', retryAfterSeconds: 60 }, '429 throttled', 60],
  [portFailure('unavailable', 'apiKeys', 'find', 'x'), '503 service_unavailable', 2],
  [portFailure('unexpected', 'apiKeys', 'find', 'x'), '500 error', undefined],
] as const

for (const [failure, expected, wait] of keyFailures)
  test(`a refused token (${expected}) is the result of the call`, async (t) => {
    const { baseUrl } = await serve(t, { obtainToken: async () => E.left(failure) })
    const result = failureIn(t, await createClient({ baseUrl, apiKey: 'k' }).stageAccount({} as JsonObject))
    t.is(`${result.status} ${result.code}`, expected)
    t.is(result.docsUrl, `${baseUrl}/docs/errors/${result.code}/`)
    t.is(result.retryAfterSeconds, wait)
    t.is(result.requestId.length, 36)
  })

test('the API key is sent in the token request only, the token in the header only', async (t) => {
  const seen: string[] = []
  const { baseUrl } = await serve(t, { ...issuing([]), transferStatus: found })
  const client = createClient({
    baseUrl,
    apiKey: 'secret-key',
    fetch: (input, init) => {
      const body = typeof init?.body === 'string' ? init.body : ''
      seen.push(`${new Request(input).url.replace(baseUrl, '')} ${body.includes('secret-key')}`)
      return fetch(input, init)
    },
  })
  await client.transferStatus('S', 'N')
  t.deepEqual(seen, ['/v1/graphql/ true', '/v1/data-import/account-transfer-status/S/N/ false'])
})

const gone = portFailure('unavailable', 'accounts', 'create', new Error('x'))

type Processed = Awaited<ReturnType<UseCases['processAccount']>>

const created: Processed = E.right({ platformAccountNumber: 'A-1', warnings: [] })

/** A client of a service that processes by these outcomes, one after the other, the last one for ever. */
const clientOf = async (t: ExecutionContext, ...outcomes: readonly Processed[]) => {
  const counted = { runs: 0 }
  const { baseUrl } = await serve(t, {
    ...issuing([]),
    ...answeringOnce(),
    processAccount: async () => {
      counted.runs += 1
      return outcomes[Math.min(counted.runs, outcomes.length) - 1] ?? created
    },
  })
  const sent: (string | null)[] = []
  /** The n-th answer that is lost, counted from 1. */
  const lost = { nth: 0 }
  const client = createClient({
    baseUrl,
    apiKey: 'k',
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      if (String(url).includes('graphql')) return response
      sent.push(new Headers(init?.headers).get('Idempotency-Key'))
      if (sent.length !== lost.nth) return response
      await response.text()
      throw new TypeError('terminated')
    },
  })
  return { client, counted, lost, sent }
}

const idempotencyKey = 'key-1'

test('a request with a key is sent again after a lost response, and done once', async (t) => {
  const { client, counted, lost, sent } = await clientOf(t, created)
  lost.nth = 1
  t.like(await client.processAccount({} as JsonObject, { idempotencyKey }), { ok: true, status: 201 })
  t.is(counted.runs, 1)
  t.deepEqual(sent, [idempotencyKey, idempotencyKey])
})

test('a request with a key is sent again after 503 and 429, and not after a final response', async (t) => {
  const full: Processed = E.left({ _tag: 'ConcurrencyLimitReached', retryAfterSeconds: 1 })
  const passing = await clientOf(t, E.left(gone), full, created)
  t.like(await passing.client.processAccount({} as JsonObject, { idempotencyKey }), { ok: true })
  t.is(passing.counted.runs, 3)
  const staying = await clientOf(t, E.left({ _tag: 'NothingStaged' }), created)
  t.like(await staying.client.processAccount({} as JsonObject, { idempotencyKey }), {
    ok: false,
    status: 400,
  })
  t.deepEqual([staying.counted.runs, staying.sent.length], [1, 1])
})

test('a request with a key ends with its last failure after the retry time', async (t) => {
  const { client, sent } = await clientOf(t, E.left(gone))
  const once = await client.processAccount({} as JsonObject, { idempotencyKey, retrySeconds: 0 })
  t.is(failureIn(t, once).code, 'service_unavailable')
  t.is(sent.length, 1)
  const begun = performance.now()
  t.false((await client.processAccount({} as JsonObject, { idempotencyKey, retrySeconds: 4 })).ok)
  t.true(performance.now() - begun < 5000)
  t.true(sent.length >= 2)
})

test('a request without a key is not sent again', async (t) => {
  const { client, lost, sent } = await clientOf(t, E.left(gone))
  t.is(failureIn(t, await client.processAccount({} as JsonObject)).code, 'service_unavailable')
  lost.nth = 2
  t.is(failureIn(t, await client.processAccount({} as JsonObject, { retrySeconds: 60 })).code, 'network')
  t.deepEqual(sent, [null, null])
})

test('a key that no header can carry, or that the service refuses, is refused without a request', async (t) => {
  const { client, sent } = await clientOf(t, created)
  for (const bad of ['', 'ñ', '😀', 'a b', 'k'.repeat(256), 'a\nb']) {
    const failure = failureIn(t, await client.processAccount({} as JsonObject, { idempotencyKey: bad }))
    t.is(`${failure.status} ${failure.code}`, '400 invalid_idempotency_key')
  }
  t.deepEqual(sent, [])
})

test('every request that takes a key sends it, along with its own options', async (t) => {
  const { client, sent } = await clientOf(t, created)
  const options = { idempotencyKey, retrySeconds: 0 }
  await client.validateAccount({} as JsonObject, options)
  await client.stageAccount({} as JsonObject, options)
  await client.processAccount({} as JsonObject, options)
  await client.addNotes({} as JsonObject, options)
  await client.addHistoricalStatements({} as JsonObject, options)
  await client.addPaymentInstruction({} as JsonObject, options)
  await client.addTransactions({} as JsonObject, { ...options, checkPreviouslyAdded: false })
  t.deepEqual(sent, Array<string>(7).fill(idempotencyKey))
})
