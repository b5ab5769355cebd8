import type { Instant, RefreshTokenFamily } from '@account-import/core'
import { plusSeconds } from '@account-import/core/testing'
import { randomUUID } from 'node:crypto'
import { answer } from '../support/answers.js'
import { testDatabases, type Opened } from './support/databases.js'
import { now } from './support/imports.js'

const { onEach, onMariaDb } = testDatabases()

const most = 1000

const familyUntil = (expiresAt: Instant, apiKeyId: string = randomUUID()): RefreshTokenFamily => ({
  hash: randomUUID(),
  apiKeyId,
  secretHash: randomUUID(),
  expiresAt,
  endsAt: plusSeconds(expiresAt, 1000),
})

const kept = async ({ knex }: Opened): Promise<number> =>
  Number(((await knex('refresh_tokens').count({ count: '*' })) as { count: number }[])[0]?.count)

const begin = ({ ports }: Opened, family: RefreshTokenFamily, at = now()): Promise<void> =>
  answer(ports.refreshTokens.begin(family, at, most))

/** So many families whose latest token ended long ago, and was never used. */
const leaveEnded = async (opened: Opened, count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1)
    await begin(opened, familyUntil(plusSeconds(now(), -1000 - index)), plusSeconds(now(), -5000))
}

onEach('ended families leave a few at a time, also where nobody uses one', async (t, { open }) => {
  const opened = open()
  await leaveEnded(opened, 50)
  for (const left of [31, 12, 3, 4]) {
    await begin(opened, familyUntil(plusSeconds(now(), 60)))
    t.is(await kept(opened), left)
  }
})

onEach('a key keeps no more families than it may have, however many begin', async (t, { open }) => {
  const opened = open()
  const at = now()
  const families = Array.from({ length: 30 }, (_, index) => familyUntil(plusSeconds(at, 60 + index), 'key'))
  for (const family of families) await answer(opened.ports.refreshTokens.begin(family, at, 9))
  t.is(await kept(opened), 10)
  await begin(opened, familyUntil(plusSeconds(at, 60), 'other key'))
  t.is(await kept(opened), 11)
})

onEach(
  'a token from before there were families is good no more, and leaves when it ends',
  async (t, { open }) => {
    const opened = open()
    const row = { hash: 'of before', api_key_id: 'key', expires_at: '2020-01-01 00:00:00.000' }
    await opened.knex('refresh_tokens').insert(row)
    t.is(await answer(opened.ports.refreshTokens.find(row.hash)), undefined)
    await begin(opened, familyUntil(plusSeconds(now(), 60)))
    t.is(await kept(opened), 1)
  },
)

onMariaDb('ended families are found by their index, and those of a key by another', async (t, { open }) => {
  const opened = open()
  await leaveEnded(opened, 50)
  for (let index = 0; index < 200; index += 1)
    await begin(opened, familyUntil(plusSeconds(now(), 60), `key ${index % 10}`))
  const planOf = async (select: string): Promise<Readonly<{ key: string; Extra: string }>> =>
    (await opened.knex.raw(`EXPLAIN SELECT hash FROM refresh_tokens ${select}`))[0][0]
  const ended = await planOf('WHERE expires_at < UTC_TIMESTAMP() ORDER BY expires_at LIMIT 20')
  t.is(ended.key, 'refresh_tokens_by_end')
  t.notRegex(String(ended.Extra), /filesort/)
  const ofKey = await planOf("WHERE api_key_id = 'key 1' AND NOT hash = 'x' ORDER BY ends_at DESC LIMIT 119")
  t.is(ofKey.key, 'refresh_tokens_by_key')
  t.notRegex(String(ofKey.Extra), /filesort/)
})

onMariaDb(
  'many uses and beginnings at the same time, with ended families about, all succeed',
  async (t, { open }) => {
    const opened = open()
    await leaveEnded(opened, 300)
    const families = Array.from({ length: 60 }, () => familyUntil(plusSeconds(now(), 60), 'key'))
    await Promise.all(families.map((family) => begin(opened, family)))
    const next = { secretHash: randomUUID(), expiresAt: plusSeconds(now(), 60) }
    const uses = families.map(({ hash, secretHash }) =>
      answer(opened.ports.refreshTokens.follow(hash, secretHash, next)),
    )
    t.deepEqual(await Promise.all(uses), Array<boolean>(60).fill(true))
  },
)
