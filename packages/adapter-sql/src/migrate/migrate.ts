import type { Knex } from 'knex'
import { dialectOf } from '../dialects/dialect-of.js'
import type { Step } from '../schema/schema-dialect.js'
import { doneMigrations, makeBooks, readBooks } from './migration-books.js'
import { underMigrationLock } from './migration-lock.js'
import { migrations } from '../schema/migrations.js'
import { migrationsTable } from './migrations-table.js'
import { pendingMigrations } from './pending-migrations.js'

/** Names of migrations: those that the database has, in the order they were made, and those it still needs. */
export type MigrationStatus = Readonly<{ done: readonly string[]; pending: readonly string[] }>

/** Does a step, then puts it down in the books. */
type Run = (step: Step, put: (books: Knex) => Promise<unknown>) => Promise<void>

/**
 * Runs work so that processes that begin at the same time cannot break it: in one transaction, if the database can
 * undo changes of tables, or else under a lock, each step for itself.
 */
const inTurn = async <A>(knex: Knex, work: (held: Knex, run: Run) => Promise<A>): Promise<A> => {
  const { migratesInOneTransaction, schema } = dialectOf(knex)
  if (migratesInOneTransaction)
    return knex.transaction((held) =>
      work(held, async (step, put) => {
        await step(held, schema)
        await put(held)
      }),
    )
  return underMigrationLock(knex, (renewed) =>
    work(knex, async (step, put) => {
      await knex.transaction((trx) => step(trx, schema))
      await knex.transaction(async (trx) => {
        await renewed(trx)
        await put(trx)
      })
    }),
  )
}

const refuseUnknown = (done: readonly string[]): void => {
  const unknown = done.filter((name) => migrations.every((known) => known.name !== name))
  if (unknown.length > 0)
    throw new Error(`The database has migrations of a later version: ${unknown.join(', ')}`)
}

/**
 * Brings the database up to date; returns the names of what was done now. Of several at once one
 * does it, the others fail as `MigrationLocked` and change nothing.
 */
export const migrate = (knex: Knex): Promise<readonly string[]> =>
  inTurn(knex, async (held, run) => {
    await makeBooks(held)
    const done = await readBooks(held)
    refuseUnknown(done)
    const pending = migrations.filter(({ name }) => !done.includes(name))
    for (const { name, up } of pending)
      await run(up, async (put) => put(migrationsTable).insert({ name, migration_time: new Date() }))
    return pending.map(({ name }) => name)
  })

/** Changes nothing: it may be asked of a server that takes no writes. */
export const migrationStatus = async (knex: Knex): Promise<MigrationStatus> => ({
  done: await doneMigrations(knex),
  pending: await pendingMigrations(knex),
})
