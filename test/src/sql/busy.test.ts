import { DatabaseError } from '@account-import/adapter-sql'
import { testDatabases } from './support/databases.js'

const { onSqlite } = testDatabases()

type Attempt = (knex: Knex) => PromiseLike<unknown>
type Knex = ReturnType<Parameters<Parameters<typeof onSqlite>[1]>[1]['open']>['knex']

const addTeam = async (knex: Knex, name: string): Promise<void> => {
  await knex('operations_teams').insert({ name })
}
const teams = async (knex: Knex): Promise<number> => (await knex('operations_teams').select('name')).length

const attempts: readonly (readonly [string, Attempt])[] = [
  ['a transaction', (knex) => knex.transaction((trx) => addTeam(trx, 'late'))],
  ['an INSERT alone', (knex) => addTeam(knex, 'late')],
  ['an UPDATE alone', (knex) => knex('operations_teams').where({ name: 'first' }).update({ name: 'late' })],
  ['a DELETE alone', (knex) => knex('operations_teams').where({ name: 'first' }).delete()],
]

for (const [what, attempt] of attempts)
  onSqlite(
    `after ${what} met the lock of another, its connection sees and writes what is new`,
    async (t, database) => {
      const [holder, other] = [database.open().knex, database.open().knex]
      await addTeam(holder, 'first')
      t.is(await teams(other), 1)
      await holder.transaction(async (trx) => {
        await trx('operations_teams').insert({ name: 'second' })
        const failure = await t.throwsAsync(Promise.resolve(attempt(other)), { instanceOf: DatabaseError })
        t.is(failure?.code, 'SQLITE_BUSY')
        t.is(await teams(other), 1)
      })
      t.is(await teams(other), 2)
      await addTeam(holder, 'third')
      t.is(await teams(other), 3)
      await addTeam(other, 'fourth')
      t.deepEqual([await teams(holder), await teams(other)], [4, 4])
    },
  )
