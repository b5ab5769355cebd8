import type { LoadJob, RunJob } from '../load/jobs.js'
import type { System } from '../servers.js'
import type { Verb } from '../workload/kinds.js'
import { cpuMilliseconds, type BrokenOff } from './counters.js'
import type { Measured, Scenario } from './scenario.js'

/** A system with its accounts: what was staged in one run is processed in a later one. */
export type Subject = Readonly<{
  system: System
  /** Validating and staging take new accounts, the others those that wait for them; it ends early when these run out. */
  run(scenario: Scenario, milliseconds: number): Promise<Measured>
  /** Makes what is missing, so that so many accounts wait for the scenario. */
  stock(scenario: Scenario, accounts: number): Promise<void>
}>

export type Instruments = Readonly<{
  /** The load generator's. */
  load: RunJob
  /** Undefined: the database is part of the server. */
  database: Readonly<{ pid: number; brokenOff: BrokenOff }> | undefined
}>

/** How far an account can come, and what brings it there. */
const stepOf: Readonly<Record<Verb, 'validated' | 'staged' | 'created' | 'added to'>> = {
  validate: 'validated',
  stage: 'staged',
  'bulk-stage': 'staged',
  process: 'created',
  'bulk-process': 'created',
  transactions: 'added to',
}

const difference = (from: number | undefined, to: number | undefined): number | undefined =>
  from === undefined || to === undefined ? undefined : to - from

export const makeSubject = (system: System, { load, database }: Instruments): Subject => {
  const done = { validated: 0, staged: 0, created: 0, 'added to': 0 }

  const waitingFor = (verb: Verb): number => {
    const step = stepOf[verb]
    if (step === 'created') return done.staged - done.created
    return step === 'added to' ? done.created - done['added to'] : Number.MAX_SAFE_INTEGER
  }

  const figures = async () => ({
    brokenOff: await database?.brokenOff.read(),
    server: cpuMilliseconds(system.pid),
    database: database && cpuMilliseconds(database.pid),
  })

  const runJob = async (scenario: Scenario, accounts: number, milliseconds: number): Promise<Measured> => {
    const step = stepOf[scenario.verb]
    const { port, token, drives } = system
    const driver = drives?.verbs.includes(scenario.verb) === true ? drives : undefined
    const job: LoadJob = { ...scenario, port, token, firstAccount: done[step], accounts, milliseconds }
    const from = await figures()
    const result = await (driver?.run ?? load)(job)
    const to = await figures()
    done[step] += result.sent
    const each = (used: number | undefined): number | undefined => used && used / result.sent
    return {
      ...result,
      rate: result.succeeded / result.seconds,
      brokenOff: difference(from.brokenOff, to.brokenOff),
      // What drives itself also prepares before the clock starts: it says what it used from then on.
      serverCpu: driver ? result.senderCpu : each(difference(from.server, to.server)),
      databaseCpu: each(difference(from.database, to.database)),
    }
  }

  const verbBefore = (verb: Verb): Verb => {
    if (stepOf[verb] === 'added to') return 'process'
    return system.drives === undefined ? 'stage' : 'bulk-stage'
  }

  const stock = async (scenario: Scenario, accounts: number): Promise<void> => {
    const missing = accounts - waitingFor(scenario.verb)
    if (missing <= 0) return
    const step: Scenario = { ...scenario, verb: verbBefore(scenario.verb), clients: 32 }
    await stock(step, missing)
    await runJob(step, missing, 120_000)
  }

  return {
    system,
    run: (scenario, milliseconds) => runJob(scenario, waitingFor(scenario.verb), milliseconds),
    stock,
  }
}
