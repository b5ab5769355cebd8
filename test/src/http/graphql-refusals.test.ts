import { portFailure } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import test from 'ava'
import { mutation, sendGraphql as send, type GraphqlBody } from './support/graphql.js'
import { serve } from './support/serve.js'

const cause = new Error('SELECT canary')

const failures = [
  [{ _tag: 'AuthenticationFailed' }, 200, null, { code: 'AUTHENTICATION_FAILED' }],
  [
    { _tag: 'TooManyAttempts', retryAfterSeconds: 60 },
    200,
    '60',
    { code: 'TOO_MANY_ATTEMPTS', retryAfterSeconds: 60 },
  ],
  [portFailure('unavailable', 'apiKeys', 'find', cause), 503, '2', { code: 'SERVICE_UNAVAILABLE' }],
  [portFailure('unexpected', 'apiKeys', 'find', cause), 500, null, { code: 'INTERNAL' }],
] as const

for (const [failure, status, retryAfter, extensions] of failures)
  for (const accept of ['application/json', 'application/graphql-response+json'])
    test(`${extensions.code} as ${accept} is answered ${status} and holds nothing of its cause`, async (t) => {
      const { baseUrl, logged } = await serve(t, { obtainToken: () => TE.left(failure) })
      const answer = await send(baseUrl, mutation('{apiKey: "k"}'), { Accept: accept })
      t.is(answer.status, status)
      t.is(answer.headers.get('retry-after'), retryAfter)
      t.is(answer.headers.get('content-type'), `${accept}; charset=utf-8`)
      t.is(answer.headers.get('www-authenticate'), null)
      const text = await answer.text()
      t.notRegex(text, /SELECT|canary|stack/)
      const { data, errors } = JSON.parse(text) as GraphqlBody
      t.deepEqual(data, { obtainToken: null })
      t.deepEqual(
        errors?.map((error) => error.extensions),
        [extensions],
      )
      t.is(logged[0]?.code, extensions.code)
      t.is(logged[0]?.failure?.port, failure._tag === 'PortFailure' ? 'apiKeys' : undefined)
    })

const throwing = {
  'throws at once': () => {
    throw new TypeError('canary')
  },
  rejects: () => async () => {
    throw new TypeError('canary')
  },
}

for (const [how, obtainToken] of Object.entries(throwing))
  test(`a use case that ${how} is INTERNAL with status 500, logged by name and never by message`, async (t) => {
    const { baseUrl, logged } = await serve(t, { obtainToken })
    const answer = await send(baseUrl, mutation('{apiKey: "k"}'))
    t.is(answer.status, 500)
    const text = await answer.text()
    t.regex(text, /"code":"INTERNAL"/)
    t.notRegex(text, /canary/)
    t.like(logged[0], {
      level: 'error',
      code: 'INTERNAL',
      failure: { kind: 'unexpected', name: 'TypeError' },
    })
  })

test('refused credentials are no failure of the service in the log, an unavailable store is a warning', async (t) => {
  const levels = failures.map(async ([failure]) => {
    const { baseUrl, logged } = await serve(t, { obtainToken: () => TE.left(failure) })
    await (await send(baseUrl, mutation('{apiKey: "k"}'))).text()
    return logged[0]?.level
  })
  t.deepEqual(await Promise.all(levels), ['info', 'info', 'warn', 'error'])
})

test('a refresh token that came again is answered like any wrong one, and a warning in the log names its key', async (t) => {
  const reused = { _tag: 'RefreshTokenReused', apiKeyId: 'ab12cd34ef56' } as const
  const { baseUrl, logged } = await serve(t, { obtainToken: () => TE.left(reused) })
  const wrong = await serve(t, { obtainToken: () => TE.left({ _tag: 'AuthenticationFailed' }) })
  const input = mutation('{refreshToken: "r"}')
  t.is(await (await send(baseUrl, input)).text(), await (await send(wrong.baseUrl, input)).text())
  t.like(logged[0], { level: 'warn', refreshTokenReused: { apiKeyId: 'ab12cd34ef56' } })
  t.is(wrong.logged[0]?.refreshTokenReused, undefined)
})
