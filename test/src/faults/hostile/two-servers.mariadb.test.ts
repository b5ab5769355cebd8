import {
  joseAccessTokens,
  parseSigningKey,
  parseVerificationKeys,
  type SigningKey,
} from '@account-import/adapter-access-tokens'
import { makeUseCases, type UseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { randomBytes } from 'node:crypto'
import { testDatabases, type TestDatabase } from '../../sql/support/databases.js'
import { settableClock } from '../../support/settable-clock.js'
import { until } from '../../servers/index.js'
import { left, right } from '../../use-cases/support/service.js'

const { onServers } = testDatabases()

const organisation = 'ACME'
const address = '192.0.2.1'

const newKey = (): string => randomBytes(32).toString('base64')

/** What a server is configured with to sign and to check tokens. */
type Keys = Readonly<{ signing: string; verification?: string }>

/** Starts servers on the database, each with connections and memory of its own, by one clock that can be put ahead. */
const world = async ({ open }: TestDatabase) => {
  const clock = settableClock()
  const start = ({ signing, verification = '' }: Keys): UseCases =>
    makeUseCases(
      inMemoryPorts({
        ...open({ maxConnections: 4 }).ports,
        clock,
        accessTokens: joseAccessTokens(
          parseSigningKey(signing) as SigningKey,
          undefined,
          parseVerificationKeys(verification),
        ),
      }),
    )
  const signing = newKey()
  const servers: [UseCases, UseCases] = [start({ signing }), start({ signing })]
  const { operator } = start({ signing })
  await right(operator.createOrganisation({ code: organisation }))
  const { apiKey, record } = await right(operator.createApiKey({ organisation }))
  return { clock, signing, start, servers, operator, apiKey, record }
}

type World = Awaited<ReturnType<typeof world>>

const obtained = async (server: UseCases, apiKey: string): Promise<string> =>
  (await right(server.obtainToken({ credentials: { apiKey }, address }))).token

/** What each server says to a token. */
const said = (servers: readonly UseCases[], token: string): Promise<readonly string[]> =>
  Promise.all(
    servers.map(async (server) => {
      const answer = await server.authenticate(token)()
      return answer._tag === 'Right' ? 'in' : answer.left._tag
    }),
  )

const ends: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'a key is revoked': ({ operator, record }) => right(operator.revokeApiKey(record.id)),
  'all keys of an organisation are revoked': ({ operator }) =>
    right(operator.revokeOrganisation(organisation)),
  'an organisation is disabled': ({ operator }) => right(operator.disableOrganisation(organisation)),
}

for (const [what, end] of Object.entries(ends))
  onServers(`${what} by a command: within 60 seconds both servers refuse its tokens`, async (t, database) => {
    const all = await world(database)
    const { clock, servers, apiKey } = all
    const token = await obtained(servers[0], apiKey)
    t.deepEqual(await said(servers, token), ['in', 'in'])
    await end(all)
    for (const server of servers)
      t.is(
        (await left(server.obtainToken({ credentials: { apiKey }, address })))._tag,
        'AuthenticationFailed',
        'no token is obtained any more',
      )
    clock.advance(60)
    t.deepEqual(await said(servers, token), ['AuthenticationFailed', 'AuthenticationFailed'])
  })

/** Clients that log in at one server and ask the other, again and again, with the tokens that they have. */
const clientsOf = ({ servers, apiKey }: World) => {
  const answers: string[] = []
  let going = true
  const ask = async (place: number): Promise<void> => {
    const tokens: string[] = []
    for (let turn = place; going; turn += 1) {
      tokens.push(await obtained(servers[turn % 2] as UseCases, apiKey))
      for (const token of tokens.slice(-5)) answers.push(...(await said(servers, token)))
    }
    // What was obtained before any of the changes holds too.
    for (const token of tokens) answers.push(...(await said(servers, token)))
  }
  const clients = Promise.all([0, 1, 2, 3].map(ask))
  return {
    answers,
    /** Resolves when so many more answers have come. */
    more: (count: number) => {
      const most = answers.length + count
      return until(async () => answers.length >= most, `${count} answers`)
    },
    stop: async () => {
      going = false
      await clients
    },
  }
}

onServers('no token is refused while the signing key is changed step by step', async (t, database) => {
  const all = await world(database)
  const { servers, signing, start } = all
  const [old, fresh] = [signing, newKey()]
  const clients = clientsOf(all)
  await clients.more(20)
  // As in docs/how-to/manage-access.md: every server takes tokens of both before one signs with the new key.
  const steps: readonly Keys[] = [
    { signing: old, verification: fresh },
    { signing: fresh, verification: old },
  ]
  for (const keys of steps)
    for (const place of [0, 1] as const) {
      servers[place] = start(keys)
      await clients.more(20)
    }
  await clients.stop()
  t.deepEqual([...new Set(clients.answers)], ['in'])
  const last = await obtained(servers[0], all.apiKey)
  const [withOldAlone, withNewAlone] = [start({ signing: old }), start({ signing: fresh })]
  t.deepEqual(await said([withOldAlone, withNewAlone], last), ['AuthenticationFailed', 'in'])
})
