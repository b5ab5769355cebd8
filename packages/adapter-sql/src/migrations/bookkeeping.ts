import type { Knex } from 'knex'
import { dialectOf } from '../connect/dialect-of.js'

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
 * Runs work on the bookkeeping of migrations so that processes that begin together cannot spoil it. On SQLite the
 * work is one transaction that holds the write lock, and the others find the database busy; MySQL ends a
 * transaction with each change of a table, so there they meet at Knex's lock.
 */
export const inBookkeeping = async <A>(
  knex: Knex,
  lockTable: string,
  work: (held: Knex) => Promise<A>,
): Promise<A> => {
  if (dialectOf(knex) === 'sqlite') return knex.transaction(work)
  await makeLockOnce(knex, lockTable)
  return work(knex)
}
