import type { Knex } from 'knex'
import { dialectOf } from '../dialects/dialect-of.js'

/**
 * Knex makes its lock table and the row in it in several steps: two processes that begin together would make two
 * rows, and a lock of two rows can never be taken. With a key of its own the row is made once.
 */
const makeLockOnce = async (knex: Knex, lockTable: string): Promise<void> => {
  await knex.raw('CREATE TABLE IF NOT EXISTS ?? (?? INTEGER PRIMARY KEY, ?? INTEGER)', [
    lockTable,
    'index',
    'is_locked',
  ])
  await knex(lockTable).insert({ index: 1, is_locked: 0 }).onConflict('index').ignore()
}

/**
 * Runs work on the bookkeeping of migrations so that processes that begin at the same time cannot break it: in one
 * transaction, if the database can do that, or else under Knex's lock.
 */
export const inBookkeeping = async <A>(
  knex: Knex,
  lockTable: string,
  work: (held: Knex) => Promise<A>,
): Promise<A> => {
  if (dialectOf(knex).migratesInOneTransaction) return knex.transaction(work)
  await makeLockOnce(knex, lockTable)
  return work(knex)
}
