import test from 'ava'
import { type FailedAttempts, millisecondsOf, steadyClock, webCryptoSecrets } from '@account-import/core'
import { inMemoryFailedAttempts, inMemoryPorts } from '@account-import/core/in-memory'
import { apiKeyText, plusSeconds } from '@account-import/core/testing'
import { left, organisation, refusalOf, right, service, settableClock } from './support/service.js'

const address = '192.0.2.1'

const withKey = async (expiresAt?: ReturnType<ReturnType<typeof settableClock>['now']>) => {
  const { clock, ports, useCases } = await service()
  const { apiKey, record } = await right(
    useCases.operator.createApiKey({ organisation, ...(expiresAt && { expiresAt }) }),
  )
  const obtain = (key = apiKey, from = address) =>
    useCases.obtainToken({ credentials: { apiKey: key }, address: from })
  const refresh = (refreshToken: string) => useCases.obtainToken({ credentials: { refreshToken }, address })
  return { clock, ports, useCases, apiKey, record, obtain, refresh }
}

test('an API key has the documented form, and only a hash of its secret is stored', async (t) => {
  const { apiKey, record, ports } = await withKey()
  t.regex(apiKey, /^aik_[0-9a-f]{12}_[A-Za-z0-9_-]{43}[0-9a-f]{8}$/)
  const secret = apiKey.slice('aik_'.length + 13, -8)
  t.is(record.secretHash, await webCryptoSecrets.hash(secret))
  t.false(JSON.stringify(await right(ports.apiKeys.list())).includes(secret))
})

test('a key gives an access token for 60 minutes and a refresh token for 7 days', async (t) => {
  const { clock, useCases, obtain, refresh } = await withKey()
  const tokens = await right(obtain())
  t.is(tokens.expiresAt, plusSeconds(clock.now(), 3600))
  t.is(tokens.refreshExpiresAt, plusSeconds(clock.now(), 7 * 86_400))
  t.is((await right(useCases.authenticate(tokens.token))).organisation, organisation)
  clock.pass(3600)
  t.is(await refusalOf(useCases.authenticate(tokens.token)), 'TokenExpired')
  clock.pass(7 * 86_400 - 3600)
  t.is(await refusalOf(refresh(tokens.refreshToken)), 'AuthenticationFailed')
})

test('no token outlives its key', async (t) => {
  const clock = settableClock()
  const end = plusSeconds(clock.now(), 600)
  const { obtain } = await withKey(end)
  const tokens = await right(obtain())
  t.deepEqual([tokens.expiresAt, tokens.refreshExpiresAt], [end, end])
})

test('each refresh token works once, and its successor works', async (t) => {
  const { obtain, refresh, useCases } = await withKey()
  let { refreshToken } = await right(obtain())
  for (let time = 0; time < 3; time++) {
    const next = await right(refresh(refreshToken))
    t.not(next.refreshToken, refreshToken)
    t.is((await right(useCases.authenticate(next.token))).organisation, organisation)
    refreshToken = next.refreshToken
  }
})

test('a reused refresh token ends its family for all owners, and names its key', async (t) => {
  const { apiKey, record, obtain, refresh } = await withKey()
  const stolen = (await right(obtain())).refreshToken
  const ofAnother = (await right(obtain(apiKey))).refreshToken
  const ofThief = (await right(refresh(stolen))).refreshToken
  t.deepEqual(await left(refresh(stolen)), { _tag: 'RefreshTokenReused', apiKeyId: record.id })
  for (const token of [ofThief, stolen]) t.is(await refusalOf(refresh(token)), 'AuthenticationFailed')
  await right(refresh(ofAnother))
})

test('access tokens of an ended family are refused within 30 seconds, and those of others are not', async (t) => {
  const { apiKey, clock, obtain, refresh, useCases } = await withKey()
  const first = await right(obtain())
  const second = await right(refresh(first.refreshToken))
  const ofAnother = await right(obtain(apiKey))
  const tokens = [first.token, second.token]
  for (const token of [...tokens, ofAnother.token]) await right(useCases.authenticate(token))
  await left(refresh(first.refreshToken))
  clock.pass(30)
  for (const token of tokens) t.is(await refusalOf(useCases.authenticate(token)), 'AuthenticationFailed')
  await right(useCases.authenticate(ofAnother.token))
})

test('one of several concurrent uses of a refresh token gets tokens, and the family ends', async (t) => {
  const { obtain, refresh } = await withKey()
  const { refreshToken } = await right(obtain())
  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refreshToken)))
  const successes = answers.flatMap((answer) => (answer._tag === 'Right' ? [answer.right] : []))
  t.is(successes.length, 1)
  t.is(await refusalOf(refresh(successes[0]?.refreshToken ?? '')), 'AuthenticationFailed')
})

test('a family of refresh tokens ends after 30 days, after any number of uses', async (t) => {
  const { clock, obtain, refresh } = await withKey()
  const begun = clock.now()
  let { refreshToken } = await right(obtain())
  for (let day = 6; day < 30; day += 6) {
    clock.pass(6 * 86_400)
    const next = await right(refresh(refreshToken))
    t.is(next.refreshExpiresAt, plusSeconds(begun, Math.min(day + 7, 30) * 86_400))
    refreshToken = next.refreshToken
  }
  clock.pass(6 * 86_400)
  t.is(await refusalOf(refresh(refreshToken)), 'AuthenticationFailed')
})

test('a key has at most 100 families of refresh tokens, and the oldest is removed', async (t) => {
  const { clock, obtain, refresh } = await withKey()
  const tokens: string[] = []
  for (let time = 0; time < 102; time++) {
    tokens.push((await right(obtain())).refreshToken)
    clock.pass(1)
  }
  const living = await Promise.all(tokens.map((token) => refresh(token)))
  const stillWork = living.map(({ _tag }) => _tag === 'Right')
  t.deepEqual(
    stillWork,
    tokens.map((_, index) => index >= 2),
  )
})

test('a text that resembles a refresh token is refused, and ends no family', async (t) => {
  const { obtain, refresh } = await withKey()
  const { refreshToken } = await right(obtain())
  const [family = '', secret = ''] = refreshToken.split('.')
  const padded = [`${family}.`, `${refreshToken}=`, ` ${refreshToken}`, `${refreshToken}.x`]
  for (const wrong of ['', family, secret, ...padded])
    t.is(await refusalOf(refresh(wrong)), 'AuthenticationFailed')
  await right(refresh(refreshToken))
})

test('keys that are wrong in any part get equal refusals', async (t) => {
  const { apiKey, obtain } = await withKey()
  const other = await withKey()
  const wrong = ['', 'x', apiKey.slice(0, -1), `${apiKey}0`, apiKey.toUpperCase(), ` ${apiKey}`, other.apiKey]
  for (const [index, key] of wrong.entries())
    t.deepEqual(await left(obtain(key, `192.0.2.${index}`)), { _tag: 'AuthenticationFailed' })
})

test('an address gets no result for wrong keys after 10 failures a minute, until the minute is over', async (t) => {
  const { clock, obtain } = await withKey()
  for (let attempt = 0; attempt < 10; attempt++)
    t.is(await refusalOf(obtain('wrong')), 'AuthenticationFailed')
  t.is(await refusalOf(obtain('wrong')), 'TooManyAttempts')
  t.is(await refusalOf(obtain('wrong', '192.0.2.2')), 'AuthenticationFailed')
  clock.pass(61)
  t.is(await refusalOf(obtain('wrong')), 'AuthenticationFailed')
})

test('concurrent attempts count too, and at most 10 of them are checked', async (t) => {
  const { obtain } = await withKey()
  const answers = await Promise.all(Array.from({ length: 50 }, () => left(obtain('wrong'))))
  const tags = answers.map(({ _tag }) => _tag)
  const countOf = (wanted: string) => tags.filter((tag) => tag === wanted).length
  t.deepEqual([countOf('AuthenticationFailed'), countOf('TooManyAttempts')], [10, 40])
})

test('many concurrent successful attempts from one address are no failures', async (t) => {
  const { obtain } = await withKey()
  t.is((await Promise.all(Array.from({ length: 50 }, () => right(obtain())))).length, 50)
})

/** A key with the id of a real one, its checksum right, and another secret. */
const forgedFrom = (apiKey: string, attempt: number): string =>
  apiKeyText({ id: apiKey.split('_')[1] ?? '', secret: String(attempt).padStart(43, 'x') })

test('forged keys with the id of a real one lock out nobody, at other addresses or behind the same one', async (t) => {
  const { apiKey, obtain } = await withKey()
  const tags: string[] = []
  for (let attempt = 0; attempt < 20; attempt++)
    tags.push(await refusalOf(obtain(forgedFrom(apiKey, attempt))))
  t.deepEqual(
    tags,
    tags.map((_, index) => (index < 5 ? 'AuthenticationFailed' : 'TooManyAttempts')),
  )
  await right(obtain(apiKey, '198.51.100.1'))
  await right(obtain(apiKey))
  t.is(await refusalOf(obtain(forgedFrom(apiKey, 20), '198.51.100.1')), 'AuthenticationFailed')
})

test('addresses of one IPv6 /64 count as one, and others apart', async (t) => {
  const { obtain } = await withKey()
  const tagFrom = async (from: string): Promise<string> => await refusalOf(obtain('wrong', from))
  for (let attempt = 0; attempt < 10; attempt++)
    t.is(await tagFrom(`2001:db8:0:1::${attempt}`), 'AuthenticationFailed')
  for (const from of ['2001:db8:0:1:ffff::1', '2001:0DB8::1:0:0:0:1', '2001:db8:0:1::%eth0'])
    t.is(await tagFrom(from), 'TooManyAttempts', from)
  for (const from of ['2001:db8:0:2::1', '::ffff:192.0.2.1', '192.0.2.1', '::1', 'unknown'])
    t.is(await tagFrom(from), 'AuthenticationFailed', from)
  for (let attempt = 0; attempt < 8; attempt++) await tagFrom('192.0.2.1')
  t.is(await tagFrom('::FFFF:192.0.2.1'), 'TooManyAttempts')
})

test('only failures are stored, and at most ten of a flood from one address', async (t) => {
  const memory = inMemoryFailedAttempts()
  let [reads, writes] = [0, 0]
  const failedAttempts: FailedAttempts = {
    record: (...attempt) => ((writes += 1), memory.record(...attempt)),
    recent: (...attempt) => ((reads += 1), memory.recent(...attempt)),
  }
  const { useCases } = await service({ failedAttempts })
  const { apiKey } = await right(useCases.operator.createApiKey({ organisation }))
  for (let attempt = 0; attempt < 10; attempt++)
    await right(useCases.obtainToken({ credentials: { apiKey }, address }))
  t.deepEqual([reads, writes], [0, 0])
  for (let attempt = 0; attempt < 100; attempt++)
    await left(useCases.obtainToken({ credentials: { apiKey: `wrong ${attempt}` }, address }))
  t.deepEqual([reads, writes], [100, 10])
})

test('a key above its rate gets no tokens by itself or by its refresh token, and the result has the wait', async (t) => {
  const { useCases, apiKey, record, obtain } = await withKey()
  const { refreshToken } = await right(obtain())
  for (const credentials of [{ apiKey }, { refreshToken }]) {
    const asked: string[] = []
    const obtainAfter = (seconds: number) => {
      const secondsToWait = async (id: string) => (asked.push(id), seconds)
      return useCases.obtainToken({ credentials, address, secondsToWait })
    }
    t.deepEqual(await left(obtainAfter(7)), { _tag: 'TooManyAttempts', retryAfterSeconds: 7 })
    t.truthy((await right(obtainAfter(0))).token)
    t.deepEqual(asked, [record.id, record.id])
  }
})

test('the signature of a token is checked once, and a changed token is checked and refused each time', async (t) => {
  const clock = settableClock()
  const { accessTokens } = inMemoryPorts({ clock })
  const checked: string[] = []
  const verify: typeof accessTokens.verify = (token, at) => {
    checked.push(token)
    return accessTokens.verify(token, at)
  }
  const { useCases } = await service({ clock, accessTokens: { ...accessTokens, verify } })
  const { apiKey } = await right(useCases.operator.createApiKey({ organisation }))
  const { token } = await right(useCases.obtainToken({ credentials: { apiKey }, address: '192.0.2.1' }))
  for (let request = 0; request < 5; request += 1)
    t.is((await right(useCases.authenticate(token))).organisation, organisation)
  t.deepEqual(checked, [token])
  const changed = `${token}x`
  for (let request = 0; request < 2; request += 1)
    t.is(await refusalOf(useCases.authenticate(changed)), 'AuthenticationFailed')
  t.deepEqual(checked, [token, changed, changed])
  clock.pass(3600)
  t.is(await refusalOf(useCases.authenticate(token)), 'TokenExpired')
})

/** A machine whose clock can be set, apart from the time that really passes. */
const machine = () => {
  let [wall, elapsed] = [Date.parse('2025-09-01T10:00:00Z'), 5000]
  const wentBack: number[] = []
  const clock = steadyClock(
    () => wall,
    () => elapsed,
    (milliseconds) => wentBack.push(milliseconds),
  )
  return {
    clock,
    wentBack,
    told: () => millisecondsOf(clock.now()),
    pass: (seconds: number) => {
      wall += seconds * 1000
      elapsed += seconds * 1000
    },
    put: (seconds: number) => {
      wall += seconds * 1000
    },
  }
}

test('a clock that is set back by a few minutes keeps its time, and one that is set forward is followed', (t) => {
  const { told, pass, put } = machine()
  const start = told()
  pass(10)
  t.is(told(), start + 10_000)
  put(-240)
  t.is(told(), start + 10_000)
  pass(5)
  t.is(told(), start + 15_000, 'it does not stand still either')
  put(240)
  t.is(told(), start + 15_000)
  put(60)
  t.is(told(), start + 75_000)
})

test('a clock that was ahead for a moment is corrected with that of the machine, and logged once', async (t) => {
  const { told, wentBack, pass, put, clock } = machine()
  const { useCases } = await service({ clock })
  const { apiKey } = await right(useCases.operator.createApiKey({ organisation }))
  const start = told()
  put(36_000)
  t.is(told(), start + 36_000_000)
  pass(2)
  put(-36_000)
  t.is(told(), start + 2000)
  t.deepEqual(wentBack, [36_000_000])
  const { expiresAt } = await right(useCases.obtainToken({ credentials: { apiKey }, address: 'here' }))
  t.is(millisecondsOf(expiresAt), start + 3_602_000)
})

test('a token ends an hour after its issue by the clock of the machine when the service is ahead', async (t) => {
  const { told, wentBack, put, clock } = machine()
  const { useCases } = await service({ clock })
  const { apiKey } = await right(useCases.operator.createApiKey({ organisation }))
  const start = told()
  put(-299)
  t.is(told(), start)
  const { expiresAt } = await right(useCases.obtainToken({ credentials: { apiKey }, address: 'here' }))
  t.is(millisecondsOf(expiresAt), start + 3_600_000 - 299_000)
  t.deepEqual(wentBack, [])
})

test('a token is refused that was issued more than five minutes ahead, or that lives longer than its use allows', async (t) => {
  const { clock, ports, useCases, obtain } = await withKey()
  const claims = await right(useCases.authenticate((await right(obtain())).token))
  const told = async (ahead: number, lives: number, use?: 'pages') => {
    const issuedAt = plusSeconds(clock.now(), ahead)
    const changed = { ...claims, issuedAt, expiresAt: plusSeconds(issuedAt, lives), ...(use && { use }) }
    const token = await right(ports.accessTokens.sign(changed))
    return useCases.authenticate(token, use).then((answer) => answer._tag)
  }
  t.deepEqual([await told(300, 3600), await told(301, 3600)], ['Right', 'Left'])
  t.deepEqual([await told(0, 3600), await told(0, 3601)], ['Right', 'Left'])
  t.deepEqual([await told(0, 43_200, 'pages'), await told(0, 43_201, 'pages')], ['Right', 'Left'])
})

test('a clock that is set back prolongs neither a token nor its key', async (t) => {
  const { clock, pass, put } = machine()
  const { useCases } = await service({ clock })
  const { apiKey } = await right(useCases.operator.createApiKey({ organisation }))
  const { token } = await right(useCases.obtainToken({ credentials: { apiKey }, address: 'here' }))
  pass(1800)
  put(-300)
  await right(useCases.authenticate(token))
  pass(1800)
  t.is(await refusalOf(useCases.authenticate(token)), 'TokenExpired')
})
