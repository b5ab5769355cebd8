import type { Load } from '../load/start-load.js'
import type { System } from '../servers/system.js'
import type { Verb } from '../workload/requests.js'
import { cpuSeconds } from './cpu-seconds.js'
import type { DatabaseCounters } from './database-counters.js'
import type { Measured } from './measured.js'

export type RunRequest = Readonly<{ verb: Verb; clients: number; milliseconds: number }>

/** A system with its accounts: what was staged in one run is processed in a later one. */
export type Subject = Readonly<{
  system: System
  /** Staging takes new accounts, processing those that wait; it ends early when these run out. */
  run(request: RunRequest): Promise<Measured>
  /** Stages what is missing, so that so many accounts wait to be processed. */
  stock(accounts: number): Promise<void>
}>

export type Instruments = Readonly<{ load: Load; counters: DatabaseCounters; databasePid: number }>

const since = (before: number | undefined, after: number | undefined, requests: number): number | undefined =>
  before === undefined || after === undefined ? undefined : ((after - before) * 1000) / requests

export const makeSubject = (system: System, { load, counters, databasePid }: Instruments): Subject => {
  const done: Record<Verb, number> = { stage: 0, process: 0 }

  const measure = async (request: RunRequest, accounts: number): Promise<Measured> => {
    const { verb, clients, milliseconds } = request
    const { port, token, pid } = system
    const firstAccount = done[verb]
    const [brokenBefore, serverBefore, databaseBefore] = [
      await counters.read(),
      cpuSeconds(pid),
      cpuSeconds(databasePid),
    ]
    const result = await load.run({ port, token, verb, clients, firstAccount, accounts, milliseconds })
    const brokenAfter = await counters.read()
    done[verb] += result.sent
    const broken = (key: 'deadlocks' | 'lockTimeouts'): number => brokenAfter[key] - brokenBefore[key]
    return {
      ...result,
      rate: result.succeeded / result.seconds,
      brokenOff: broken('deadlocks') + broken('lockTimeouts'),
      serverCpu: since(serverBefore, cpuSeconds(pid), result.sent),
      databaseCpu: since(databaseBefore, cpuSeconds(databasePid), result.sent),
    }
  }

  return {
    system,
    run: (request) =>
      measure(request, request.verb === 'stage' ? Number.MAX_SAFE_INTEGER : done.stage - done.process),
    stock: async (accounts) => {
      const missing = accounts - (done.stage - done.process)
      if (missing <= 0) return
      await measure({ verb: 'stage', clients: 32, milliseconds: 120_000 }, missing)
    },
  }
}
