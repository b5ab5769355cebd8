import type { Knex } from 'knex'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { withRetries } from '../failures/retry.js'
import { migrationOwnerTable } from './migrations-table.js'

/** Another process migrates, or was cut off a moment ago while it did. */
class MigrationLocked extends Error {
  override readonly name = 'MigrationLocked'

  constructor() {
    super('another process migrates this database')
  }
}

const leaseMilliseconds = 30_000
const renewalMilliseconds = 2000
const graceMilliseconds = 5000

type Owner = Readonly<{ token: string | null; expires_at: number | null }>

const ignore = (): void => undefined

/** A statement of its own, committed when it has been answered: on a cluster the first of several wins, the others see. */
const alone = <A>(work: () => Promise<A>): Promise<A> => withRetries(work, ignore)

const makeTable = async (knex: Knex): Promise<void> => {
  await knex.raw(
    `CREATE TABLE IF NOT EXISTS ${migrationOwnerTable} (id INTEGER PRIMARY KEY, token VARCHAR(36), expires_at BIGINT)`,
  )
  await alone(async () => knex(migrationOwnerTable).insert({ id: 1 }).onConflict('id').ignore())
}

const leased = (token: string): Owner => ({ token, expires_at: Date.now() + leaseMilliseconds })

/** Makes the token the owner in place of the one that was seen. */
const takeFrom = async (knex: Knex, seen: Owner, token: string): Promise<boolean> =>
  (await alone(async () => knex(migrationOwnerTable).where(seen).update(leased(token)))) === 1

/**
 * On Galera nobody can write while a table is changed, the owner included: who finds the lease expired looks again a
 * little later, and takes over from an owner that has not even renewed it then.
 */
const take = async (knex: Knex, token: string): Promise<boolean> => {
  if (await takeFrom(knex, { token: null, expires_at: null }, token)) return true
  const seen = (await knex(migrationOwnerTable).first('token', 'expires_at')) as Owner | undefined
  if (seen === undefined || Number(seen.expires_at) > Date.now()) return false
  await setTimeout(graceMilliseconds)
  return takeFrom(knex, seen, token)
}

/** Renews the lease; `MigrationLocked` when another has taken over. */
const renew = async (knex: Knex, token: string): Promise<void> => {
  if ((await knex(migrationOwnerTable).where({ token }).update(leased(token))) !== 1)
    throw new MigrationLocked()
}

const renewWhile = async (knex: Knex, token: string, ended: AbortSignal): Promise<void> => {
  while (!ended.aborted) {
    await setTimeout(renewalMilliseconds, undefined, { signal: ended }).catch(ignore)
    // One that fails is no fault yet: the next may not, and before anything is put down the lease is renewed anyway.
    if (!ended.aborted) await renew(knex, token).catch(ignore)
  }
}

const free = (knex: Knex, token: string): Promise<unknown> =>
  alone(async () => knex(migrationOwnerTable).where({ token }).update({ token: null, expires_at: null }))

/**
 * Runs work that one process at a time may do. `renewed`, to be called in the transaction of what must not happen without
 * the lock, rejects when another has taken over. Of a process that is cut off the lock ends within a minute.
 */
export const underMigrationLock = async <A>(
  knex: Knex,
  work: (renewed: (trx: Knex) => Promise<void>) => Promise<A>,
): Promise<A> => {
  await makeTable(knex)
  const token = randomUUID()
  if (!(await take(knex, token))) throw new MigrationLocked()
  const ended = new AbortController()
  const renewals = renewWhile(knex, token, ended.signal)
  try {
    return await work((trx) => renew(trx, token))
  } finally {
    ended.abort()
    await renewals
    // Else it ends by itself.
    await free(knex, token).catch(ignore)
  }
}
