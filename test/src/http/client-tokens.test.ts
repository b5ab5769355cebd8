import { createClient, type JsonObject } from '@account-import/client'
import type { Credentials } from '@account-import/core'
import { portFailure } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import test from 'ava'
import { failureIn, found, issuing } from './support/for-clients.js'
import { serve } from './support/serve.js'
import { authenticate } from './support/some-use-cases.js'

test('one token serves many requests, and many at once share obtaining it', async (t) => {
  const obtained: Credentials[] = []
  const { baseUrl } = await serve(t, { ...issuing(obtained), transferStatus: found })
  const client = createClient({ baseUrl, apiKey: 'k' })
  const results = await Promise.all(Array.from({ length: 20 }, () => client.transferStatus('S', 'N')))
  t.true(results.every(({ ok }) => ok))
  t.deepEqual(obtained, [{ apiKey: 'k' }])
})

test('a token that turns out to be expired is renewed once by its refresh token', async (t) => {
  const obtained: Credentials[] = []
  let expired = 1
  const { baseUrl } = await serve(t, {
    ...issuing(obtained),
    transferStatus: found,
    authenticate: (token) => (expired-- > 0 ? TE.left({ _tag: 'TokenExpired' }) : authenticate(token)),
  })
  const client = createClient({ baseUrl, apiKey: 'k' })
  t.true((await client.transferStatus('S', 'N')).ok)
  t.deepEqual(obtained, [{ apiKey: 'k' }, { refreshToken: 'refresh-1' }])
  expired = 1000
  const failure = failureIn(t, await client.transferStatus('S', 'N'))
  t.is(failure.problem.code, 'token_expired')
  t.is(expired, 998)
})

test('a refresh token that is good no longer gives way to the API key', async (t) => {
  const obtained: Credentials[] = []
  let expired = 1
  const { obtainToken } = issuing(obtained)
  const { baseUrl } = await serve(t, {
    transferStatus: found,
    authenticate: (token) => (expired-- > 0 ? TE.left({ _tag: 'TokenExpired' }) : authenticate(token)),
    obtainToken: (request) =>
      'refreshToken' in request.credentials
        ? TE.left({ _tag: 'AuthenticationFailed' })
        : obtainToken(request),
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
  test(`a token that is not given (${expected}) is the result of the call`, async (t) => {
    const { baseUrl } = await serve(t, { obtainToken: () => TE.left(failure) })
    const result = failureIn(t, await createClient({ baseUrl, apiKey: 'k' }).stageAccount({} as JsonObject))
    t.is(`${result.status} ${result.problem.code}`, expected)
    t.is(result.retryAfterSeconds, wait)
    t.is(result.requestId.length, 36)
  })

test('the API key goes only into the token request, the token only into the header', async (t) => {
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
