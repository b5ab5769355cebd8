import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Knex } from 'knex'
import { dialectOf } from './dialects/dialects.js'
import {
  type DescribedColumn,
  firstDifference,
  type KeyDifference,
  keyDifferences,
  type TableDifference,
  type Wanted,
} from './schema/differences.js'
import { migrations, tablesAfter } from './schema/migrations.js'
import { dataKeys } from './sql/crypto.js'
import { withRetries } from './sql/failures.js'
import { onConnection } from './sql/session.js'

/** Table names of this package, because the database may contain another program's migrations too. */
const migrationsTable = 'account_import_migrations'

/** The process that runs migrations now. */
const migrationOwnerTable = 'account_import_migrations_owner'

/** Makes the table of finished migrations, in the form of Knex's own. */
const makeMigrationsTable = async (knex: Knex): Promise<void> => {
  if (await knex.schema.hasTable(migrationsTable)) return
  await knex.schema.createTable(migrationsTable, (table) => {
    table.increments()
    table.string('name')
    table.integer('batch')
    table.timestamp('migration_time')
  })
}

/**
 * The tables were made by a build before the first release, and no migration leads from those to a release, or they were changed
 * since. The message is the first difference.
 */
export class UnreleasedBuildError extends Error {
  override readonly name = 'UnreleasedBuildError'
  readonly code = 'DATABASE_OF_UNRELEASED_BUILD'
  /** Whether all columns are there, so that data can be read. */
  readonly isOfKeys: boolean
  constructor({ text, isOfKeys }: TableDifference) {
    super(text)
    this.isOfKeys = isOfKeys
  }
}

/** The first migrations of builds before the first release. */
const unreleased = ['0001-registers', '0001-schema']

/** The names of all migrations, oldest first. */
const migrationNames: readonly string[] = migrations.map(({ name }) => name)

const describedColumns = (knex: Knex): Promise<readonly DescribedColumn[]> => {
  const dialect = dialectOf(knex)
  return onConnection(knex, { dialect, dataKeys: dataKeys(undefined) }, (db) =>
    db.select<DescribedColumn>(dialect.tablesText),
  )
}

const hasKey = async (knex: Knex, name: string): Promise<boolean> =>
  (await describedColumns(knex)).some(({ key_name }) => key_name === name)

const readNames = (knex: Knex): Promise<readonly string[]> =>
  knex(migrationsTable).orderBy('id').pluck('name')

/** The tables after these migrations, in the types of the database, and those that it has. */
const wantedAfter = async (knex: Knex, names: readonly string[]): Promise<Wanted> => {
  const { columns } = dialectOf(knex)
  return {
    tables: tablesAfter(names).map((table) => ({ ...table, columns: columns(table.columns) })),
    isLater: names.some((name) => !migrationNames.includes(name)),
    there: await describedColumns(knex),
  }
}

/** The keys and indexes that a database with all migrations lacks, or has otherwise. */
export const missingKeys = async (knex: Knex): Promise<readonly KeyDifference[]> => [
  ...keyDifferences(await wantedAfter(knex, await readNames(knex))),
]

/**
 * The names of finished migrations, in their order. Rejects with an `UnreleasedBuildError` where the tables are not those of these
 * migrations: builds before the first release gave other tables the same name.
 */
const readFinished = async (knex: Knex): Promise<readonly string[]> => {
  const names = await readNames(knex)
  const old = unreleased.find((name) => names.includes(name))
  if (old !== undefined)
    throw new UnreleasedBuildError({ text: `it has the migration ${old}`, isOfKeys: false })
  if (names.length === 0) return names
  const difference = firstDifference(await wantedAfter(knex, names))
  if (difference !== undefined) throw new UnreleasedBuildError(difference)
  return names
}

/** As `readFinished`; empty where the table is missing. Changes nothing. */
const doneMigrations = async (knex: Knex): Promise<readonly string[]> => {
  try {
    return await readFinished(knex)
  } catch {
    if (!(await knex.schema.hasTable(migrationsTable))) return []
    // Another process may have made the table in between; any other error occurs again.
    return readFinished(knex)
  }
}

/** Another process migrates, or was killed a moment ago during a migration. */
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

/**
 * Runs a statement outside any transaction, or a transaction, so that it is committed when it returns: on a cluster the first of
 * several wins, and the others see its change. SQLite waits for other processes that write.
 */
const alone = <A>(work: () => Promise<A>): Promise<A> => withRetries(work, ignore)

const makeTable = async (knex: Knex): Promise<void> => {
  await knex.raw(
    `CREATE TABLE IF NOT EXISTS ${migrationOwnerTable} (id INTEGER PRIMARY KEY, token VARCHAR(36), expires_at BIGINT)`,
  )
  await alone(async () => knex(migrationOwnerTable).insert({ id: 1 }).onConflict('id').ignore())
}

const leased = (token: string): Owner => ({ token, expires_at: Date.now() + leaseMilliseconds })

/** Replaces the owner that was read by the token; false where the owner has changed. */
const takeFrom = async (knex: Knex, seen: Owner, token: string): Promise<boolean> =>
  (await alone(async () => knex(migrationOwnerTable).where(seen).update(leased(token)))) === 1

/**
 * Galera blocks all writes while a table is changed, also the renewals of the owner: a process that finds the lease expired waits
 * 5 seconds, and takes over from an owner that has not renewed it until then.
 */
const take = async (knex: Knex, token: string): Promise<boolean> => {
  if (await takeFrom(knex, { token: null, expires_at: null }, token)) return true
  const seen = (await knex(migrationOwnerTable).first('token', 'expires_at')) as Owner | undefined
  if (seen === undefined || Number(seen.expires_at) > Date.now()) return false
  await setTimeout(graceMilliseconds)
  return takeFrom(knex, seen, token)
}

/** Renews the lease; throws a `MigrationLocked` when another process has taken over. */
const renew = async (knex: Knex, token: string): Promise<void> => {
  if ((await knex(migrationOwnerTable).where({ token }).update(leased(token))) !== 1)
    throw new MigrationLocked()
}

const renewWhile = async (knex: Knex, token: string, ended: AbortSignal): Promise<void> => {
  while (!ended.aborted) {
    await setTimeout(renewalMilliseconds, undefined, { signal: ended }).catch(ignore)
    // A failed renewal is ignored: the next may succeed, and the lease is renewed before each step is recorded.
    if (!ended.aborted) await renew(knex, token).catch(ignore)
  }
}

const free = (knex: Knex, token: string): Promise<unknown> =>
  alone(async () => knex(migrationOwnerTable).where({ token }).update({ token: null, expires_at: null }))

/**
 * Runs work that only one process may do at a time. `renewed` renews the lock in a transaction that must not commit without it,
 * and rejects when another process has taken over. The lock of a killed process ends within a minute.
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
    // Otherwise the lease expires.
    await free(knex, token).catch(ignore)
  }
}

/**
 * Names of migrations. `done`: those of the database, in their order. `unknown`: those of a later version among them. `pending`:
 * those that the database still needs, oldest first.
 */
export type MigrationStatus = Readonly<{
  done: readonly string[]
  unknown: readonly string[]
  pending: readonly string[]
}>

const statusOf = (done: readonly string[]): MigrationStatus => ({
  done,
  unknown: done.filter((name) => !migrationNames.includes(name)),
  pending: migrationNames.filter((name) => !done.includes(name)),
})

/**
 * Sends two statements and changes nothing, so it can be called every second, by a user without the right to make tables, and on a
 * server that takes no writes. Rejects with the driver's error, or with an `UnreleasedBuildError` where the tables are not those
 * of the finished migrations.
 */
export const migrationStatus = async (knex: Knex): Promise<MigrationStatus> =>
  statusOf(await doneMigrations(knex))

/** Runs a step, then records it. */
type Run = (step: (typeof migrations)[number]['up'], put: (trx: Knex) => Promise<unknown>) => Promise<void>

/**
 * Runs migrations so that concurrent processes cannot break them: in one transaction, if the database can undo changes of tables,
 * or else under a lock, step by step.
 */
const inTurn = async <A>(knex: Knex, work: (held: Knex, run: Run) => Promise<A>): Promise<A> => {
  const { migratesInOneTransaction, blockMigrations, ...dialect } = dialectOf(knex)
  if (migratesInOneTransaction)
    return alone(() =>
      knex.transaction(async (held) => {
        if (blockMigrations !== undefined) await held.raw(blockMigrations)
        return work(held, async (step, put) => {
          await step(held, dialect, hasKey)
          await put(held)
        })
      }),
    )
  return underMigrationLock(knex, (renewed) =>
    work(knex, async (step, put) => {
      await step(knex, dialect, hasKey)
      await knex.transaction(async (trx) => {
        await renewed(trx)
        await put(trx)
      })
    }),
  )
}

/**
 * Runs the pending migrations and returns their names. One of several concurrent processes runs them; the others fail as
 * `MigrationLocked` and change nothing.
 */
export const migrate = (knex: Knex): Promise<readonly string[]> =>
  inTurn(knex, async (held, run) => {
    await makeMigrationsTable(held)
    const { unknown, pending } = statusOf(await readFinished(held))
    if (unknown.length > 0)
      throw new Error(`The database has migrations of a later version: ${unknown.join(', ')}`)
    for (const { name, up } of migrations)
      if (pending.includes(name))
        await run(up, async (put) => put(migrationsTable).insert({ name, migration_time: new Date() }))
    return pending
  })
