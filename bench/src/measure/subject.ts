import type { Load } from '../load/start-load.js'
import type { System } from '../servers/system.js'
import type { Verb } from '../workload/requests.js'
import { cpuSeconds } from './cpu-seconds.js'
import type { DatabaseCounters } from './database-counters.js'
import type { Measured } from './measured.js'

export type RunRequest = Readonly<{ verb: Verb; clients: number; milliseconds: number }>

/** What needs accounts that are made ready before: staged ones are processed, created ones get transactions. */
export type StockedVerb = Exclude<Verb, 'stage'>

const before: Readonly<Record<StockedVerb, Verb>> = { process: 'stage', transactions: 'process' }

/** A system with its accounts: what was staged in one run is processed in a later one. */
export type Subject = Readonly<{
  system: System
  /** Staging takes new accounts, the others those that wait for them; it ends early when these run out. */
  run(request: RunRequest): Promise<Measured>
  /** Makes what is missing, so that so many accounts wait for this. */
  stock(verb: StockedVerb, accounts: number): Promise<void>
}>

export type Instruments = Readonly<{ load: Load; counters: DatabaseCounters; databasePid: number }>

const since = (before: number | undefined, after: number | undefined, requests: number): number | undefined =>
  before === undefined || after === undefined ? undefined : ((after - before) * 1000) / requests

export const makeSubject = (system: System, { load, counters, databasePid }: Instruments): Subject => {
  const done: Record<Verb, number> = { stage: 0, process: 0, transactions: 0 }

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

  const waitingFor = (verb: Verb): number =>
    verb === 'stage' ? Number.MAX_SAFE_INTEGER : done[before[verb]] - done[verb]

  const stock = async (verb: StockedVerb, accounts: number): Promise<void> => {
    const missing = accounts - waitingFor(verb)
    if (missing <= 0) return
    const step = before[verb]
    if (step !== 'stage') await stock(step, missing)
    await measure({ verb: step, clients: 32, milliseconds: 120_000 }, missing)
  }

  return { system, run: (request) => measure(request, waitingFor(request.verb)), stock }
}
