import { connectSql, databaseTime, migrate } from '@account-import/adapter-sql'
import { guardedServers } from './support/guarded-servers.js'

const onGuarded = guardedServers()

onGuarded(
  'a single statement is stored, whatever the server says of transactions',
  async (t, { url, administratorUrl }) => {
    const [knex, other] = [connectSql(url), connectSql(administratorUrl)]
    t.teardown(() => Promise.all([knex.destroy(), other.destroy()]))
    await migrate(knex)
    await knex('operations_teams').insert([{ name: 'A' }, { name: 'B' }])
    await knex('operations_teams').where({ name: 'B' }).delete()
    t.deepEqual(await other('operations_teams').pluck('name'), ['A'])
  },
)

/** Seconds since 1970, in the first of the two hours from 2 to 3 in Madrid. */
const atTheEndOfSummerTime = 1_792_888_200

onGuarded(
  'the clock of the database is read in UTC, where local time is ambiguous too',
  async (t, { url }) => {
    const knex = connectSql(url, { maxConnections: 1 })
    t.teardown(() => knex.destroy())
    await knex.raw(`SET timestamp = ${atTheEndOfSummerTime}`)
    t.is(await databaseTime(knex), atTheEndOfSummerTime * 1000)
  },
)
