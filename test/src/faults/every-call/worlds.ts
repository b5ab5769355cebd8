import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { everyCallFault, type CallFault } from '../faults/calls.js'
import { onPorts, plainWorld, type PlainWorld } from '../../use-cases/support/plain-world.js'
import { settableClock } from '../../use-cases/support/service.js'

/** Equal worlds, as many as are wanted; each is closed before the next is opened. */
export type Worlds = Readonly<{
  /** What goes wrong in them. */
  faults: readonly CallFault[]
  run<A>(work: (world: PlainWorld) => Promise<A>): Promise<A>
  close(): Promise<void>
}>

export const worldsInMemory = async (): Promise<Worlds> => ({
  faults: everyCallFault,
  run: async (work) => work(await plainWorld()),
  close: async () => undefined,
})

/**
 * To a database, a failure of one kind is like one of the other, and one before the effect of a call like one after the effect of
 * the call before it.
 */
const faultsOfDatabases = everyCallFault.filter(
  ({ moment, ending }) => moment === 'after' && ending !== 'unexpected',
)

type Knex = ReturnType<typeof connectSql>

/** Keeps the rows as they are now; the function that is given back puts them there again. */
const remembered = async (knex: Knex, file: string): Promise<() => Promise<void>> => {
  const named: unknown = await knex('sqlite_master').where({ type: 'table' }).pluck('name')
  await knex.raw(`VACUUM INTO '${file}'`)
  await knex.raw(`ATTACH '${file}' AS kept`)
  return () =>
    knex.transaction(async (trx) => {
      await trx.raw('PRAGMA defer_foreign_keys = ON')
      for (const table of named as readonly string[]) {
        await trx.raw(`DELETE FROM main.${table}`)
        await trx.raw(`INSERT INTO main.${table} SELECT * FROM kept.${table}`)
      }
    })
}

/** All in one database: after each, its rows are again what they were. */
export const worldsOnSqlite = async (): Promise<Worlds> => {
  const folder = await mkdtemp(join(tmpdir(), 'account-import-faults-'))
  const knex = connectSql(`sqlite:${join(folder, 'test.db')}`)
  await migrate(knex)
  const stores = createSqlPorts(knex)
  const world = await plainWorld(stores)
  const reset = await remembered(knex, join(folder, 'kept.db'))
  return {
    faults: faultsOfDatabases,
    run: async (work) => {
      const clock = settableClock()
      try {
        return await work({ ...onPorts(world, { ...world.ports, clock }), clock })
      } finally {
        await reset()
      }
    },
    close: async () => {
      await knex.destroy()
      await rm(folder, { recursive: true })
    },
  }
}
