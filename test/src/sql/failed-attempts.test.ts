import { plusSeconds } from '@account-import/core/testing'
import { answer } from '../support/answers.js'
import { testDatabases } from './support/databases.js'
import { now } from './support/imports.js'

const { onEach } = testDatabases()

onEach('servers on one database count failures together, at the same time too', async (t, { open }) => {
  const [one, other] = [open().ports.failedAttempts, open().ports.failedAttempts]
  const at = now()
  const numbers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      answer((index % 2 === 0 ? one : other).record('192.0.2.1', plusSeconds(at, 0))),
    ),
  )
  t.deepEqual(
    numbers.toSorted((left, right) => left - right),
    Array.from({ length: 12 }, (_, index) => index + 1),
  )
  t.deepEqual(await Promise.all([one, other].map((each) => answer(each.recent('192.0.2.1', at)))), [12, 12])
  t.is(await answer(other.recent('192.0.2.2', at)), 0)
})

onEach(
  'failures of long ago leave the table as others come, and those of other limits stay',
  async (t, { open }) => {
    const { knex, ports } = open()
    const begin = now()
    for (let index = 0; index < 30; index += 1)
      await answer(ports.failedAttempts.record(`192.0.2.${index}`, begin))
    const other = { subject: 'another limit', begins_at: '2020-01-01 00:00:00.000', used: 5 }
    await knex('rate_limits').insert({ ...other, expires_at: '2999-01-01 00:00:00.000' })
    const later = plusSeconds(begin, 61)
    for (const left of [12, 2]) {
      await answer(ports.failedAttempts.record('198.51.100.1', later))
      const rows = (await knex('rate_limits').pluck('subject')) as string[]
      t.is(rows.length, left)
      t.true(rows.includes('another limit'))
    }
  },
)
