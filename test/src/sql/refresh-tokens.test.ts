import type { Instant, RefreshTokenRecord } from '@account-import/core'
import { plusSeconds } from '@account-import/core/testing'
import { randomUUID } from 'node:crypto'
import { answer } from '../support/answers.js'
import { testDatabases, type Opened } from './support/databases.js'
import { now } from './support/imports.js'

const { onEach, onMariaDb } = testDatabases()

const tokenUntil = (expiresAt: Instant): RefreshTokenRecord => ({
  hash: randomUUID(),
  apiKeyId: 'key',
  expiresAt,
})

const kept = async ({ knex }: Opened): Promise<number> =>
  Number(((await knex('refresh_tokens').count({ count: '*' })) as { count: number }[])[0]?.count)

/** So many tokens that ended long ago, and were never used. */
const leaveEnded = async ({ ports }: Opened, count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1)
    await answer(
      ports.refreshTokens.save(tokenUntil(plusSeconds(now(), -1000 - index)), plusSeconds(now(), -5000)),
    )
}

onEach('ended tokens leave a few at a time, also where nobody uses one', async (t, { open }) => {
  const opened = open()
  await leaveEnded(opened, 50)
  for (const left of [31, 12, 3, 4]) {
    await answer(opened.ports.refreshTokens.save(tokenUntil(plusSeconds(now(), 60)), now()))
    t.is(await kept(opened), left)
  }
})

onMariaDb('ended tokens are found by their index', async (t, { open }) => {
  const opened = open()
  await leaveEnded(opened, 50)
  for (let index = 0; index < 200; index += 1)
    await answer(opened.ports.refreshTokens.save(tokenUntil(plusSeconds(now(), 60)), now()))
  const [[plan]] = await opened.knex.raw(
    'EXPLAIN SELECT hash FROM refresh_tokens WHERE expires_at < UTC_TIMESTAMP() ORDER BY expires_at LIMIT 20',
  )
  t.is(plan.key, 'refresh_tokens_by_end')
  t.notRegex(String(plan.Extra), /filesort/)
})

onMariaDb(
  'many uses and savings at the same time, with ended tokens about, all succeed',
  async (t, { open }) => {
    const opened = open()
    await leaveEnded(opened, 300)
    const tokens = Array.from({ length: 60 }, () => tokenUntil(plusSeconds(now(), 60)))
    await Promise.all(tokens.map((token) => answer(opened.ports.refreshTokens.save(token, now()))))
    const uses = tokens.map((token) => answer(opened.ports.refreshTokens.consume(token.hash, now())))
    t.deepEqual(await Promise.all(uses), Array<boolean>(60).fill(true))
  },
)
