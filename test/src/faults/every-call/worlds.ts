import { connectSql, createSqlPorts, migrate } from '@account-import/adapter-sql'
import type { Ports } from '@account-import/core'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answer } from '../../support/answers.js'
import { everyCallFault, type CallFault } from '../faults/calls.js'
import type { LookedSupplier } from '../invariants/look-at.js'
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

/** The data behind the ports as JSON, but for what another attempt changes: tries, times, numbers. */
export type WorldState = string

/** What is drawn at random, or counts attempts. */
const changing = new Set([
  'attempts',
  'createdAt',
  'expiresAt',
  'id',
  'latestFailure',
  'platformAccountNumber',
  'secretHash',
  'stagedVersion',
  'version',
])

/** Times of the day on which the worlds begin are now; those in payloads are of other days. */
const plain = (value: unknown): string =>
  JSON.stringify(value, (name, inner: unknown) => {
    if (changing.has(name)) return undefined
    return typeof inner === 'string' && inner.startsWith('2025-09-01T') ? 'now' : inner
  })

const importsOf = (ports: Ports, { looked }: LookedSupplier): readonly unknown[] =>
  looked.map(({ key, found, staged, account, emails }) => ({
    key,
    skipped: found?.skipped,
    isClaimed: found?.claim !== undefined && found.claim.expiresAt > ports.clock.now(),
    isCreated: found?.created !== undefined,
    staged: staged?.payload,
    account,
    emails: emails.map(({ language, served, state }) => ({ language, served, state: state._tag })),
  }))

export const worldState = async (ports: Ports, all: readonly LookedSupplier[]): Promise<WorldState> =>
  plain({
    organisations: await answer(ports.organisations.list()),
    suppliers: all.map(({ supplier }) => supplier),
    teams: await answer(ports.operationsTeams.list()),
    // Each attempt that has an effect makes another one, alike.
    apiKeys: [...new Set((await answer(ports.apiKeys.list())).map(plain))],
    imports: all.flatMap((supplier) => importsOf(ports, supplier)),
  })

const valuesOf = (value: unknown, path: string): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => valuesOf(inner, `${path}/${name}`))
    : [[path, value]]

/** Where two states are not equal, by the paths of the values. */
export const differences = (state: WorldState, expected: WorldState): readonly string[] => {
  if (state === expected) return []
  const [is, was] = [state, expected].map((text) => new Map(valuesOf(JSON.parse(text), '')))
  return [...new Set([...(is?.keys() ?? []), ...(was?.keys() ?? [])])]
    .filter((path) => is?.get(path) !== was?.get(path))
    .map((path) => `${path} is ${String(is?.get(path))}, without a fault ${String(was?.get(path))}`)
}
