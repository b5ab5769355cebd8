import type { Knex } from 'knex'

/** The connections of a pool at this moment. */
export type PoolUse = Readonly<{
  /** Connections with work. */
  used: number
  /** Connections that are open and have none. */
  free: number
  /** Calls that wait for a connection. */
  waiting: number
  /** Connections that it may have. */
  most: number
}>

/** What is used of Knex's pool: its published type has no shape. Gone once the Knex is destroyed. */
type Pool = Readonly<{
  max: number
  numUsed(): number
  numFree(): number
  numPendingAcquires(): number
  on(event: 'acquireRequest' | 'acquireSuccess' | 'acquireFail', listener: (call: number) => void): void
}>

const poolOf = (knex: Knex): Pool | undefined => (knex.client as Readonly<{ pool?: Pool }>).pool

/** How much of its pool a Knex uses; all 0 once it is destroyed. */
export const poolUse = (knex: Knex): PoolUse => {
  const pool = poolOf(knex)
  if (pool === undefined) return { used: 0, free: 0, waiting: 0, most: 0 }
  return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires(), most: pool.max }
}

/** Tells how long each call waited for a connection, milliseconds; also of one that got none. */
export const watchPool = (knex: Knex, onWait: (milliseconds: number) => void): void => {
  const pool = poolOf(knex)
  const since = new Map<number, number>()
  const ended = (call: number): void => {
    const begin = since.get(call)
    since.delete(call)
    if (begin !== undefined) onWait(performance.now() - begin)
  }
  pool?.on('acquireRequest', (call) => since.set(call, performance.now()))
  pool?.on('acquireSuccess', ended)
  pool?.on('acquireFail', ended)
}
