import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Knex } from 'knex'
import { dialectOf } from './dialects/dialects.js'
import { migrations } from './schema/migrations.js'
import { withRetries } from './sql/failures.js'

/** Table names of our own: the database may hold another program's migrations too. */
const migrationsTable = 'account_import_migrations'

/** Says which process runs migrations now. */
const migrationOwnerTable = 'account_import_migrations_owner'

/** Makes the table that says which migrations were done, as Knex makes its own. */
const makeBooks = async (knex: Knex): Promise<void> => {
  if (await knex.schema.hasTable(migrationsTable)) return
  await knex.schema.createTable(migrationsTable, (table) => {
    table.increments()
    table.string('name')
    table.integer('batch')
    table.timestamp('migration_time')
  })
}

/** The tables were made by a build before the first release, and nothing leads from those to the tables of a release. */
class UnreleasedBuildError extends Error {
  override readonly name = 'UnreleasedBuildError'
  readonly code = 'DATABASE_OF_UNRELEASED_BUILD'
  constructor() {
    super('the tables of the database were made by a build before the first release')
  }
}

/** The first migrations of builds before the first release. */
const unreleased = ['0001-registers', '0001-schema']

/** The names of what was done, in its order. Rejects with an error of the code `DATABASE_OF_UNRELEASED_BUILD`. */
const readBooks = async (knex: Knex): Promise<readonly string[]> => {
  const names = (await knex(migrationsTable).orderBy('id').pluck('name')) as readonly string[]
  if (unreleased.some((name) => names.includes(name))) throw new UnreleasedBuildError()
  return names
}

/** The same; none where the database has no books yet. Changes nothing. */
const doneMigrations = async (knex: Knex): Promise<readonly string[]> => {
  try {
    return await readBooks(knex)
  } catch {
    if (!(await knex.schema.hasTable(migrationsTable))) return []
    // Another process may have made them in between; any other failure comes again.
    return readBooks(knex)
  }
}

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
 * the lock, rejects when another has taken over. The lock of a process that is cut off ends within a minute.
 */
const underMigrationLock = async <A>(
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

/**
 * Names of migrations: those that the database has, in the order they were made, those of them that this version does not
 * know, since a later one made them, and those that the database still needs, oldest first.
 */
export type MigrationStatus = Readonly<{
  done: readonly string[]
  unknown: readonly string[]
  pending: readonly string[]
}>

/** The names of all migrations, oldest first. */
const migrationNames: readonly string[] = migrations.map(({ name }) => name)

const statusOf = (done: readonly string[]): MigrationStatus => ({
  done,
  unknown: done.filter((name) => !migrationNames.includes(name)),
  pending: migrationNames.filter((name) => !done.includes(name)),
})

/**
 * Reads by one statement and changes nothing, not even the bookkeeping, so it can be called every second, by a user who may
 * not make tables, and of a server that takes no writes. Rejects with the driver's error.
 */
export const migrationStatus = async (knex: Knex): Promise<MigrationStatus> =>
  statusOf(await doneMigrations(knex))

/** Does a step, then puts it down in the books. */
type Run = (step: (typeof migrations)[number]['up'], put: (books: Knex) => Promise<unknown>) => Promise<void>

/**
 * Runs work so that processes that begin at the same time cannot break it: in one transaction, if the database can
 * undo changes of tables, or else under a lock, each step for itself.
 */
const inTurn = async <A>(knex: Knex, work: (held: Knex, run: Run) => Promise<A>): Promise<A> => {
  const { migratesInOneTransaction, createTable } = dialectOf(knex)
  if (migratesInOneTransaction)
    return alone(() =>
      knex.transaction((held) =>
        work(held, async (step, put) => {
          await step(held, createTable)
          await put(held)
        }),
      ),
    )
  return underMigrationLock(knex, (renewed) =>
    work(knex, async (step, put) => {
      await knex.transaction((trx) => step(trx, createTable))
      await knex.transaction(async (trx) => {
        await renewed(trx)
        await put(trx)
      })
    }),
  )
}

/**
 * Brings the database up to date; returns the names of what was done now. If several processes call it at once, one
 * does it, the others fail as `MigrationLocked` and change nothing.
 */
export const migrate = (knex: Knex): Promise<readonly string[]> =>
  inTurn(knex, async (held, run) => {
    await makeBooks(held)
    const { unknown, pending } = statusOf(await readBooks(held))
    if (unknown.length > 0)
      throw new Error(`The database has migrations of a later version: ${unknown.join(', ')}`)
    for (const { name, up } of migrations)
      if (pending.includes(name))
        await run(up, async (put) => put(migrationsTable).insert({ name, migration_time: new Date() }))
    return pending
  })
