import { plusSeconds } from '@account-import/core/testing'
import { randomUUID } from 'node:crypto'
import { answer } from '../support/answers.js'
import { answerClaimOf } from './support/answer-claim.js'
import { testDatabases, type Opened } from './support/databases.js'
import { now } from './support/imports.js'
import { rowsRead } from './support/rows-read.js'

const { onEach, onMariaDb } = testDatabases()

const at = now()

/** Answers that expire one second after the other, of two organisations. */
const fill = async ({ knex }: Opened, count: number, expiresIn: number): Promise<void> => {
  for (let start = 0; start < count; start += 500)
    await knex('kept_answers').insert(
      Array.from({ length: 500 }, (_, offset) => ({
        organisation: offset % 2 === 0 ? 'ACME' : 'OTHER',
        request: randomUUID(),
        content: 'c',
        claim_token: 't',
        claim_ends_at: '2026-01-01 00:00:00.000',
        expires_at: plusSeconds(at, expiresIn + start + offset)
          .replace('T', ' ')
          .replace('Z', ''),
        status: 201,
        headers: '{}',
        body: '{}',
      })),
    )
}

const kept = async ({ knex }: Opened): Promise<number> =>
  Number(((await knex('kept_answers').count({ count: '*' })) as { count: number }[])[0]?.count)

/** The statements that go to the database on behalf of some work. */
const sentBy = async ({ knex }: Opened, work: () => Promise<unknown>): Promise<readonly string[]> => {
  const sent: string[] = []
  const client = knex.client as { _query(connection: unknown, query: { sql: string }): Promise<unknown> }
  const own = client._query.bind(client)
  client._query = (connection, query) => {
    sent.push(query.sql)
    return own(connection, query)
  }
  await work()
  client._query = own
  return sent
}

onEach('a request that comes for the first time costs an insert and an update', async (t, { open }) => {
  const opened = open()
  const { keptAnswers } = opened.ports
  await answer(keptAnswers.claim(answerClaimOf('R-1')))
  const claim = answerClaimOf('R-2')
  const { key, token } = claim
  const sent = await sentBy(opened, async () => {
    await answer(keptAnswers.claim(claim))
    const body = { status: 201, headers: {}, body: '{}' }
    await answer(keptAnswers.keep({ key, token, answer: body, expiresAt: plusSeconds(at, 1) }))
  })
  t.deepEqual(
    sent.map((sql) => sql.slice(0, 6)),
    ['INSERT', 'UPDATE'],
  )
})

onEach(
  'stores of several servers forget at the same time what has expired, all of it, once',
  async (t, { open }) => {
    const opened = [open(), open(), open()]
    const [first] = opened
    if (first === undefined) return t.fail('there are three')
    await fill(first, 2000, -10_000)
    await fill(first, 500, 1000)
    const forgetAll = async ({ ports }: Opened): Promise<number> => {
      let all = 0
      for (let forgotten = 100; forgotten > 0; all += forgotten)
        forgotten = await answer(ports.keptAnswers.forget(at, 100))
      return all
    }
    const counts = await Promise.all(opened.map(forgetAll))
    t.is(
      counts.reduce((sum, count) => sum + count, 0),
      2000,
    )
    t.is(await kept(first), 500)
  },
)

onMariaDb('forgetting reads no more rows than it removes, however many there are', async (t, { open }) => {
  const opened = open({ maxConnections: 1 })
  await fill(opened, 20_000, 1000)
  await fill(opened, 500, -10_000)
  const { result, rows } = await rowsRead(opened.knex, () => answer(opened.ports.keptAnswers.forget(at, 200)))
  t.is(result, 200)
  t.true(rows <= 1000, `${rows} rows`)
})
