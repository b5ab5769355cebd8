import type { Knex } from 'knex'
import { inBookkeeping } from './bookkeeping.js'
import { migrationSource } from './migration-source.js'
import { migrationsTable } from './migrations-table.js'

/** Names of migrations: those that the database has, in the order they were made, and those it still needs. */
export type MigrationStatus = Readonly<{ done: readonly string[]; pending: readonly string[] }>

const config: Knex.MigratorConfig = { migrationSource, tableName: migrationsTable }

const migrating = <A>(knex: Knex, work: (migrator: Knex.Migrator) => Promise<unknown>): Promise<A> =>
  inBookkeeping(knex, `${migrationsTable}_lock`, (held) => work(held.migrate) as Promise<A>)

type Named = Readonly<{ name: string }>

/**
 * Brings the database up to date; returns the names of what was done now. Of several at once one
 * does it, the others fail and change nothing.
 */
export const migrate = async (knex: Knex): Promise<readonly string[]> => {
  const [, done] = await migrating<[number, readonly string[]]>(knex, (migrator) => migrator.latest(config))
  return done
}

/** Takes back what the latest `migrate` did, with its data; returns the names. */
export const rollback = async (knex: Knex): Promise<readonly string[]> => {
  const [, undone] = await migrating<[number, readonly string[]]>(knex, (migrator) =>
    migrator.rollback(config),
  )
  return undone
}

export const migrationStatus = async (knex: Knex): Promise<MigrationStatus> => {
  const [done, pending] = await migrating<[readonly Named[], readonly Named[]]>(knex, (migrator) =>
    migrator.list(config),
  )
  return { done: done.map(({ name }) => name), pending: pending.map(({ name }) => name) }
}
