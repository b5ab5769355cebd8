import { setTimeout } from 'node:timers/promises'
import { freePort, until } from '../../servers/index.js'
import type { CliEnvironment } from '../../support/cli-process.js'
import { startServerProcess } from '../../support/server-process.js'

/** A server process of ours that keeps its address when it is started again. */
export type Service = Readonly<{
  address: string
  start(): Promise<void>
  /** Ends it without warning. */
  kill(): Promise<void>
  /** Ends it as an operator would, after the requests in flight. */
  stop(): Promise<void>
}>

export const startService = async (environment: CliEnvironment): Promise<Service> => {
  const PORT = String(await freePort())
  let running = await startServerProcess({ ...environment, PORT })
  return {
    address: running.address,
    start: async () => void (running = await startServerProcess({ ...environment, PORT })),
    kill: () => running.kill(),
    stop: async () => void (await running.stop()),
  }
}

/** Resolves when each of the servers says `wanted` of itself on `/readyz`, in turn: `ready`, or a code of the database. */
export const untilAllSay = async (
  services: readonly Service[],
  wanted: string,
  mostMilliseconds = 30_000,
): Promise<void> => {
  for (const { address } of services) {
    let said = ''
    const says = async (): Promise<boolean> => {
      const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(10_000) })
      const { checks } = (await answer.json()) as { checks: { database: { code?: string } } }
      said = answer.status === 200 ? 'ready' : String(checks.database.code)
      return said === wanted
    }
    try {
      await until(says, `/readyz says ${wanted}`, mostMilliseconds)
    } catch (cause) {
      throw new Error(`/readyz of ${address} said ${said} in the end, not ${wanted}`, { cause })
    }
  }
}

/**
 * Does what needs all nodes, once more after each failure: a machine that is busy lets a node that is not seen for seconds leave
 * its cluster, and come back. What still fails after a minute fails.
 */
export const patiently = async <A>(work: () => Promise<A>): Promise<A> => {
  const begun = performance.now()
  for (;;)
    try {
      return await work()
    } catch (cause) {
      if (performance.now() - begun > 60_000) throw cause
      await setTimeout(200)
    }
}
