import { connectSql, migrate, migrationStatus, pendingMigrations } from '@account-import/adapter-sql'
import { setTimeout } from 'node:timers/promises'
import { testDatabases } from './support/databases.js'

const { mariaDb, onMariaDb } = testDatabases()

type Knex = ReturnType<typeof connectSql>

const owner = 'account_import_migrations_owner'

const owned = (knex: Knex, milliseconds: number): PromiseLike<unknown> =>
  knex(owner).update({ token: 'somebody', expires_at: Date.now() + milliseconds })

const ownerIn = async (knex: Knex): Promise<unknown> => (await knex(owner).first('token')) as unknown

onMariaDb('while another process migrates nobody else does, and nothing is changed', async (t, { open }) => {
  const { knex } = open()
  await knex('account_import_migrations').where({ name: '0008-payloads-in-imports' }).delete()
  await owned(knex, 60_000)
  await t.throwsAsync(migrate(knex), { name: 'MigrationLocked' })
  t.deepEqual(await pendingMigrations(knex), ['0008-payloads-in-imports'])
  t.deepEqual(await ownerIn(knex), { token: 'somebody' })
})

onMariaDb('what a process left behind that was cut off ends by itself', async (t, { open }) => {
  const { knex } = open()
  await knex('account_import_migrations').where({ name: '0008-payloads-in-imports' }).delete()
  await owned(knex, -1)
  t.deepEqual(await migrate(knex), ['0008-payloads-in-imports'])
  t.deepEqual(await ownerIn(knex), { token: null })
})

onMariaDb(
  'who renews late, because nobody could write for a while, is not taken over',
  async (t, { open }) => {
    const { knex } = open()
    await owned(knex, -1)
    const other = migrate(knex)
    await setTimeout(2000)
    await owned(knex, 30_000)
    await t.throwsAsync(other, { name: 'MigrationLocked' })
  },
)

onMariaDb('who has been taken over puts nothing into the books any more', async (t, { open }) => {
  const { knex } = open()
  await knex('account_import_migrations').where({ name: '0008-payloads-in-imports' }).delete()
  await knex.raw('DROP INDEX account_imports_pages ON account_imports')
  // A change of the table waits until nobody reads it any more.
  const reader = await open().knex.transaction()
  await reader('account_imports').first('state')
  const late = t.throwsAsync(migrate(knex), { name: 'MigrationLocked' })
  await setTimeout(1000)
  await owned(reader, 60_000)
  await reader.commit()
  await late
  t.deepEqual(await pendingMigrations(knex), ['0008-payloads-in-imports'])
})

onMariaDb('asking for the state of migrations changes nothing', async (t) => {
  const knex = connectSql(await mariaDb().createDatabase())
  t.teardown(() => knex.destroy())
  const { done, pending } = await migrationStatus(knex)
  t.deepEqual([done, pending.length > 0], [[], true])
  const [tables] = (await knex.raw('SHOW TABLES')) as [unknown]
  t.deepEqual(tables, [])
})
