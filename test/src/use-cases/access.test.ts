import test from 'ava'
import { type ApiKeys, portFailure } from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import { plusSeconds } from '@account-import/core/testing'
import { left, organisation, refusalOf, right, service } from './support/service.js'

const address = '192.0.2.1'

/** Two servers on one set of stores, and a token of an organisation with a key. */
const twoServers = async () => {
  const { clock, ports, useCases } = await service()
  const other = makeUseCases(ports)
  const { apiKey, record } = await right(useCases.operator.createApiKey({ organisation, name: 'Nightly' }))
  const obtain = (key = apiKey) => useCases.obtainToken({ credentials: { apiKey: key }, address })
  const tokens = await right(obtain())
  return { clock, ports, useCases, servers: [useCases, other], apiKey, record, obtain, tokens }
}

const awayAt = (operation: string) => portFailure('unavailable', 'apiKeys', operation, new Error('away'))

type World = Awaited<ReturnType<typeof twoServers>>

const outcomesOf = ({ servers, tokens: { token } }: World): Promise<readonly string[]> =>
  Promise.all(
    servers.map(async (server) => {
      const answer = await server.authenticate(token)
      return answer._tag === 'Right' ? 'in' : answer.left._tag
    }),
  )

const inside = ['in', 'in']
const outside = ['AuthenticationFailed', 'AuthenticationFailed']

const ends: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'a key is revoked': ({ useCases, record }) => right(useCases.operator.revokeApiKey(record.id)),
  'all keys of its organisation are revoked': ({ useCases }) =>
    right(useCases.operator.revokeOrganisation(organisation)),
  'its organisation is disabled': ({ useCases }) =>
    right(useCases.operator.disableOrganisation(organisation)),
  'its key was replaced without an overlap': ({ useCases, record }) =>
    right(useCases.operator.rotateApiKey({ id: record.id, overlapSeconds: 0 })),
  'its family of refresh tokens has ended': async ({ useCases, tokens: { refreshToken } }) => {
    const use = { credentials: { refreshToken }, address }
    await right(useCases.obtainToken(use))
    await left(useCases.obtainToken(use))
  },
}

for (const [why, end] of Object.entries(ends))
  test(`a token in use on two servers is refused by both within 30 seconds, without a successor, when ${why}`, async (t) => {
    const world = await twoServers()
    t.deepEqual(await outcomesOf(world), inside)
    world.clock.pass(29)
    t.deepEqual(await outcomesOf(world), inside)
    await end(world)
    const { refreshToken } = world.tokens
    const refreshed = world.useCases.obtainToken({ credentials: { refreshToken }, address })
    t.is(await refusalOf(refreshed), 'AuthenticationFailed')
    if (!why.includes('family')) t.is(await refusalOf(world.obtain()), 'AuthenticationFailed')
    world.clock.pass(30)
    t.deepEqual(await outcomesOf(world), outside)
    world.clock.pass(86_400 * 400)
    t.not((await outcomesOf(world))[0], 'in')
  })

test('reauthenticate accepts an expired token and refuses a revoked key', async (t) => {
  const { clock, useCases, tokens, record } = await twoServers()
  const claims = await right(useCases.authenticate(tokens.token))
  clock.pass(7200)
  t.is(await refusalOf(useCases.authenticate(tokens.token)), 'TokenExpired')
  await right(useCases.reauthenticate(claims))
  await right(useCases.operator.revokeApiKey(record.id))
  clock.pass(30)
  t.deepEqual(await left(useCases.reauthenticate(claims)), { _tag: 'AuthenticationFailed' })
})

test('requests are refused, and long ones end, when the key cannot be checked', async (t) => {
  const { clock, ports, tokens } = await twoServers()
  let away = false
  const find: ApiKeys['find'] = async (id) => (away ? E.left(awayAt('find')) : ports.apiKeys.find(id))
  const apiKeys = { ...ports.apiKeys, find }
  const useCases = makeUseCases({ ...ports, apiKeys })
  const claims = await right(useCases.authenticate(tokens.token))
  away = true
  clock.pass(29)
  await right(useCases.authenticate(tokens.token))
  await right(useCases.reauthenticate(claims))
  clock.pass(1)
  for (const answer of [useCases.authenticate(tokens.token), useCases.reauthenticate(claims)])
    t.like(await left<object, unknown>(answer), { _tag: 'PortFailure', kind: 'unavailable' })
})

test('a disabled organisation obtains no tokens, and its keys and sessions work again when it is enabled', async (t) => {
  const world = await twoServers()
  const { clock, useCases, obtain, tokens } = world
  const { operator } = useCases
  const since = clock.now()
  t.is((await right(operator.disableOrganisation(organisation))).disabledAt, since)
  clock.pass(5)
  t.is((await right(operator.disableOrganisation(organisation))).disabledAt, since)
  t.is(await refusalOf(obtain()), 'AuthenticationFailed')
  const { refreshToken } = tokens
  const refresh = () => useCases.obtainToken({ credentials: { refreshToken }, address })
  t.is(await refusalOf(refresh()), 'AuthenticationFailed')
  t.is((await right(operator.enableOrganisation(organisation))).disabledAt, undefined)
  clock.pass(30)
  t.deepEqual(await outcomesOf(world), inside)
  await right(obtain())
  await right(refresh())
})

test('revoking an organisation ends its keys and sessions for good, and those of no other', async (t) => {
  const { useCases, obtain, record } = await twoServers()
  const { operator } = useCases
  await right(operator.createOrganisation({ code: 'OTHER' }))
  const others = await right(operator.createApiKey({ organisation: 'OTHER' }))
  t.deepEqual(await right(operator.revokeOrganisation(organisation)), { code: organisation, revokedKeys: 1 })
  t.deepEqual(await right(operator.revokeOrganisation(organisation)), { code: organisation, revokedKeys: 0 })
  await right(obtain(others.apiKey))
  t.deepEqual(await left(operator.rotateApiKey({ id: record.id })), { _tag: 'ApiKeyHasEnded', id: record.id })
})

test('a replaced key works until the overlap ends, and the new one has the same scopes', async (t) => {
  const { clock, useCases, obtain, record } = await twoServers()
  const rotated = await right(useCases.operator.rotateApiKey({ id: record.id }))
  const expiresAt = plusSeconds(clock.now(), 365 * 86_400)
  t.like(rotated.record, { name: 'Nightly', scopes: record.scopes, expiresAt })
  t.like(rotated, { previous: record.id, previousEndsAt: plusSeconds(clock.now(), 86_400) })
  clock.pass(86_399)
  for (const key of [undefined, rotated.apiKey]) await right(obtain(key))
  clock.pass(1)
  t.is(await refusalOf(obtain()), 'AuthenticationFailed')
  await right(obtain(rotated.apiKey))
  t.is(await refusalOf(useCases.operator.rotateApiKey({ id: record.id })), 'ApiKeyHasEnded')
})

test('replacing a key never prolongs it, and the new one ends at the given time', async (t) => {
  const { clock, useCases } = await twoServers()
  const { operator } = useCases
  const soon = plusSeconds(clock.now(), 60)
  const { record } = await right(operator.createApiKey({ organisation, expiresAt: soon }))
  const expiresAt = plusSeconds(clock.now(), 600)
  const rotated = await right(operator.rotateApiKey({ id: record.id, overlapSeconds: 3600, expiresAt }))
  t.deepEqual([rotated.previousEndsAt, rotated.record.expiresAt], [soon, expiresAt])
  const endless = await right(operator.rotateApiKey({ id: rotated.record.id, expiresAt: 'never' }))
  t.is(endless.record.expiresAt, undefined)
})

test('a key that is revoked during its replacement is not replaced', async (t) => {
  const { ports, record } = await twoServers()
  const rotate: ApiKeys['rotate'] = async (...given) => {
    await right(ports.apiKeys.revoke(record.id, ports.clock.now()))
    return ports.apiKeys.rotate(...given)
  }
  const apiKeys = { ...ports.apiKeys, rotate }
  const { operator } = makeUseCases({ ...ports, apiKeys })
  t.is(await refusalOf(operator.rotateApiKey({ id: record.id })), 'ApiKeyHasEnded')
  t.is((await right(ports.apiKeys.list())).length, 1)
})

test('the last use of a key is stored once a minute for all servers, for tokens obtained and used', async (t) => {
  const { clock, ports, servers, record, tokens } = await twoServers()
  const used = async () => (await right(ports.apiKeys.list())).find(({ id }) => id === record.id)?.lastUsedAt
  const note = () => Promise.all(servers.map((server) => right(server.noteKeyUses())))
  t.is(await used(), undefined, 'a request writes nothing')
  const obtained = clock.now()
  t.deepEqual(await note(), [1, 0])
  t.is(await used(), obtained)
  clock.pass(59)
  for (const server of servers) await right(server.authenticate(tokens.token))
  t.deepEqual(await note(), [1, 1])
  t.is(await used(), obtained, 'within a minute it stays')
  clock.pass(1)
  for (const server of servers) await right(server.authenticate(tokens.token))
  await note()
  t.is(await used(), clock.now())
  const stranger = { credentials: { apiKey: 'guessed' }, address }
  for (const server of servers) await left(server.obtainToken(stranger))
  t.deepEqual(await note(), [0, 0])
})

test('uses that could not be stored are stored the next time, and a later one stays', async (t) => {
  const { clock, ports, apiKey } = await twoServers()
  let away = true
  const noteUse: ApiKeys['noteUse'] = async (...given) =>
    away ? E.left(awayAt('noteUse')) : ports.apiKeys.noteUse(...given)
  const apiKeys = { ...ports.apiKeys, noteUse }
  const useCases = makeUseCases({ ...ports, apiKeys })
  const second = await right(useCases.operator.createApiKey({ organisation }))
  for (const key of [apiKey, second.apiKey])
    await right(useCases.obtainToken({ credentials: { apiKey: key }, address }))
  t.is(await refusalOf(useCases.noteKeyUses()), 'PortFailure')
  const first = clock.now()
  clock.pass(10)
  await right(useCases.obtainToken({ credentials: { apiKey }, address }))
  away = false
  t.is(await right(useCases.noteKeyUses()), 2)
  const times = new Map((await right(ports.apiKeys.list())).map(({ id, lastUsedAt }) => [id, lastUsedAt]))
  t.is(times.get(second.record.id), first)
  t.is([...times.values()].filter((time) => time === clock.now()).length, 1)
})
