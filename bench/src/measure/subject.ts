import type { LoadJob, LoadResult, RunJob } from '../load/jobs.js'
import type { System, Target } from '../servers.js'
import type { Size, Verb } from '../workload/kinds.js'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { MariaDb } from '@account-import/test/servers'

/** The request, the number of clients at a time, and the accounts. */
export type Scenario = Readonly<{ verb: Verb; clients: number; size: Size }>

/** As it is written on the command line and in the table. */
export const scenarioName = ({ verb, clients, size }: Scenario): string =>
  `${verb}@${clients}${size === 'typical' ? '' : ` ${size}`}`

/** One run against one system; processor times are milliseconds for each account. */
export type Measured = LoadResult &
  Readonly<{
    /** Accounts a second, those that were refused left out. */
    rate: number
    /** Deadlocks and lock timeouts inside the database: each is a retry of the server's, or an error. */
    brokenOff: number | undefined
    serverCpu: number | undefined
    databaseCpu: number | undefined
  }>

/** The rounds of one target, in the order they were run; the most memory it had, in MB. */
export type TargetResult = Readonly<{
  target: Target
  rounds: readonly Measured[]
  peakMemory: number | undefined
}>

// Figures of Linux about a process and its children; elsewhere nothing is known.

const contentOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // the process has ended
  }
}

/** The fields of /proc/PID/stat behind the program's name, which stands in brackets and may hold spaces. */
const statOf = (pid: number): readonly string[] => {
  const text = contentOf(`/proc/${pid}/stat`)
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

const sumOverTree = (pid: number, figure: (pid: number) => number): number | undefined => {
  if (process.platform !== 'linux') return undefined
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger)
  const found = [pid]
  for (const each of found) found.push(...all.filter((child) => Number(statOf(child)[1]) === each))
  return found.reduce((sum, each) => sum + figure(each), 0)
}

const millisecondsPerTick = 10

/** Their processor time since their start, in milliseconds. */
const cpuMilliseconds = (pid: number): number | undefined =>
  sumOverTree(pid, (each) => {
    const stat = statOf(each)
    return (Number(stat[11] ?? 0) + Number(stat[12] ?? 0)) * millisecondsPerTick
  })

/** The most memory that they had resident since `forgetPeak`, in MB. */
export const peakMemory = (pid: number): number | undefined =>
  sumOverTree(
    pid,
    (each) => Number(/^VmHWM:\s+(\d+)/m.exec(contentOf(`/proc/${each}/status`))?.[1] ?? 0) / 1024,
  )

/** Begins anew with the most memory. */
export const forgetPeak = (pid: number): void => {
  sumOverTree(pid, (each) => {
    writeFileSync(`/proc/${each}/clear_refs`, '5')
    return 0
  })
}

/** Deadlocks and lock timeouts since the database's start: each makes a server try again or fail. */
export type BrokenOff = () => Promise<number>

/** Counted inside the database, so that the figures do not depend on what the servers report. */
export const countBrokenOff = async ({ query }: MariaDb): Promise<BrokenOff> => {
  // MariaDB counts lock timeouts only when told to.
  for (const counter of ['lock_deadlocks', 'lock_timeouts'])
    await query(`SET GLOBAL innodb_monitor_enable = '${counter}'`)
  return async () => {
    const [row] = await query(
      'SELECT SUM(count) AS brokenOff FROM information_schema.INNODB_METRICS ' +
        "WHERE name IN ('lock_deadlocks', 'lock_timeouts')",
    )
    return Number(row?.['brokenOff'] ?? 0)
  }
}

/** How far an account can come, and what brings it there. */
const stepOf: Readonly<Record<Verb, 'validated' | 'staged' | 'created'>> = {
  validate: 'validated',
  stage: 'staged',
  'bulk-stage': 'staged',
  process: 'created',
  'bulk-process': 'created',
}

const difference = (from: number | undefined, to: number | undefined): number | undefined =>
  from === undefined || to === undefined ? undefined : to - from

/**
 * A system with its accounts: what was staged in one run is processed in a later one. `load` is the load generator's; without
 * `database` it is part of the server.
 */
export const makeSubject = (
  system: System,
  load: RunJob,
  database: Readonly<{ pid: number; brokenOff: BrokenOff }> | undefined,
) => {
  const done = { validated: 0, staged: 0, created: 0 }

  const waitingFor = (verb: Verb): number =>
    stepOf[verb] === 'created' ? done.staged - done.created : Number.MAX_SAFE_INTEGER

  const figures = async () => ({
    brokenOff: await database?.brokenOff(),
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
      // A target that drives itself also prepares before the clock starts: it says what it used from then on.
      serverCpu: driver ? result.senderCpu : each(difference(from.server, to.server)),
      databaseCpu: each(difference(from.database, to.database)),
    }
  }

  const stock = async (scenario: Scenario, accounts: number): Promise<void> => {
    const missing = accounts - waitingFor(scenario.verb)
    if (missing <= 0) return
    const verb = system.drives === undefined ? 'stage' : 'bulk-stage'
    await runJob({ ...scenario, verb, clients: 32 }, missing, 120_000)
  }

  return {
    system,
    /** Validating and staging take new accounts, the others those that wait for them; it ends early when these run out. */
    run: (scenario: Scenario, milliseconds: number): Promise<Measured> =>
      runJob(scenario, waitingFor(scenario.verb), milliseconds),
    /** Makes what is missing, so that so many accounts wait for the scenario. */
    stock,
  }
}

export type Subject = ReturnType<typeof makeSubject>
