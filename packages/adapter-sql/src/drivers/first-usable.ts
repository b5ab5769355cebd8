import { setTimeout } from 'node:timers/promises'
import { DatabaseError } from './database-error.js'
import type { Host } from './host.js'

const mostTelling = (causes: readonly unknown[]): unknown =>
  causes.find((cause) => cause instanceof DatabaseError && cause.code?.startsWith('DATABASE_')) ?? causes[0]

/**
 * The first host that can be used. All are asked at once, as one that is lost takes its time to say nothing: who
 * stands further in front than the first who answers has `graceMilliseconds` to answer too. Rejects with the
 * `DatabaseError` that says most.
 */
export const firstUsable = async (hosts: readonly Host[], graceMilliseconds: number): Promise<Host> => {
  const usable = new Set<Host>()
  const asked = hosts.map(async (host) => {
    await host.answers()
    usable.add(host)
  })
  try {
    await Promise.any(asked)
  } catch (cause) {
    throw mostTelling((cause as AggregateError).errors)
  }
  await Promise.race([Promise.allSettled(asked), setTimeout(graceMilliseconds, undefined, { ref: false })])
  return hosts.find((host) => usable.has(host)) as Host
}
