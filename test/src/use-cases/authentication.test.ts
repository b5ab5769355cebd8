import test from 'ava'
import { webCryptoSecrets } from '@account-import/core'
import { plusSeconds } from '@account-import/core/testing'
import { left, organisation, right, service, settableClock } from './support/service.js'

const address = '192.0.2.1'

const withKey = async (expiresAt?: ReturnType<ReturnType<typeof settableClock>['now']>) => {
  const clock = settableClock()
  const { ports, useCases } = await service({ clock })
  const { apiKey, record } = await right(
    useCases.operator.createApiKey({ organisation, ...(expiresAt && { expiresAt }) }),
  )
  const obtain = (key = apiKey, from = address) =>
    useCases.obtainToken({ credentials: { apiKey: key }, address: from })
  const refresh = (refreshToken: string) => useCases.obtainToken({ credentials: { refreshToken }, address })
  return { clock, ports, useCases, apiKey, record, obtain, refresh }
}

test('an API key has the documented form, and only a hash of its secret is kept', async (t) => {
  const { apiKey, record, ports } = await withKey()
  t.regex(apiKey, /^aik_[0-9a-f]{12}_[A-Za-z0-9_-]{43}[0-9a-f]{8}$/)
  const secret = apiKey.slice('aik_'.length + 13, -8)
  t.is(record.secretHash, await webCryptoSecrets.hash(secret))
  t.false(JSON.stringify(await right(ports.apiKeys.list())).includes(secret))
})

test('a key gives an access token for 60 minutes and a refresh token for 7 days', async (t) => {
  const { clock, useCases, obtain } = await withKey()
  const tokens = await right(obtain())
  t.is(tokens.expiresAt, plusSeconds(clock.now(), 3600))
  t.is(tokens.refreshExpiresAt, plusSeconds(clock.now(), 7 * 86_400))
  t.is((await right(useCases.authenticate(tokens.token))).organisation, organisation)
  clock.pass(3600)
  t.is((await left(useCases.authenticate(tokens.token)))._tag, 'TokenExpired')
})

test('no token outlives its key', async (t) => {
  const clock = settableClock()
  const end = plusSeconds(clock.now(), 600)
  const { obtain } = await withKey(end)
  const tokens = await right(obtain())
  t.deepEqual([tokens.expiresAt, tokens.refreshExpiresAt], [end, end])
})

test('a refresh token works once, also under several uses at once, and its successor works', async (t) => {
  const { obtain, refresh, useCases } = await withKey()
  const { refreshToken } = await right(obtain())
  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refreshToken)()))
  const successes = answers.flatMap((answer) => (answer._tag === 'Right' ? [answer.right] : []))
  t.is(successes.length, 1)
  const next = await right(refresh(successes[0]?.refreshToken ?? ''))
  t.is((await right(useCases.authenticate(next.token))).organisation, organisation)
})

test('a refresh token ends after 7 days', async (t) => {
  const { clock, obtain, refresh } = await withKey()
  const { refreshToken } = await right(obtain())
  clock.pass(7 * 86_400)
  t.is((await left(refresh(refreshToken)))._tag, 'AuthenticationFailed')
})

test('a revocation ends new tokens at once and running ones within 60 seconds', async (t) => {
  const { clock, useCases, obtain, refresh, record } = await withKey()
  const { token, refreshToken } = await right(obtain())
  await right(useCases.authenticate(token))
  await right(useCases.operator.revokeApiKey(record.id))
  t.is((await left(obtain()))._tag, 'AuthenticationFailed')
  t.is((await left(refresh(refreshToken)))._tag, 'AuthenticationFailed')
  clock.pass(60)
  t.is((await left(useCases.authenticate(token)))._tag, 'AuthenticationFailed')
})

test('keys that are wrong in any part are refused alike', async (t) => {
  const { apiKey, obtain } = await withKey()
  const other = await withKey()
  const wrong = ['', 'x', apiKey.slice(0, -1), `${apiKey}0`, apiKey.toUpperCase(), ` ${apiKey}`, other.apiKey]
  for (const [index, key] of wrong.entries())
    t.deepEqual(await left(obtain(key, `192.0.2.${index}`)), { _tag: 'AuthenticationFailed' })
})

test('after 10 failures a minute an address is refused, and free again when the minute is over', async (t) => {
  const { clock, apiKey, obtain } = await withKey()
  for (let attempt = 0; attempt < 10; attempt++)
    t.is((await left(obtain('wrong')))._tag, 'AuthenticationFailed')
  t.is((await left(obtain(apiKey)))._tag, 'TooManyAttempts')
  await right(obtain(apiKey, '192.0.2.2'))
  clock.pass(61)
  await right(obtain(apiKey))
})

test('attempts made at the same time are counted too: no more than 10 of them are checked', async (t) => {
  const { obtain } = await withKey()
  const answers = await Promise.all(Array.from({ length: 50 }, () => left(obtain('wrong'))))
  const tags = answers.map(({ _tag }) => _tag)
  t.is(tags.filter((tag) => tag === 'AuthenticationFailed').length, 10)
  t.is(tags.filter((tag) => tag === 'TooManyAttempts').length, 40)
})

test('many good attempts at the same time from one address are no failures', async (t) => {
  const { obtain } = await withKey()
  t.is((await Promise.all(Array.from({ length: 50 }, () => right(obtain())))).length, 50)
})

test('after 5 failures a minute for one key id it is refused from every address', async (t) => {
  const { clock, ports, useCases, apiKey, obtain, record } = await withKey()
  await right(useCases.operator.revokeApiKey(record.id))
  t.truthy((await right(ports.apiKeys.find(record.id)))?.revokedAt)
  for (let attempt = 0; attempt < 5; attempt++)
    t.is((await left(obtain(apiKey, `198.51.100.${attempt}`)))._tag, 'AuthenticationFailed')
  t.is((await left(obtain(apiKey, '198.51.100.99')))._tag, 'TooManyAttempts')
  clock.pass(61)
  t.is((await left(obtain(apiKey, '198.51.100.99')))._tag, 'AuthenticationFailed')
})
