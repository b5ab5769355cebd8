import type { LoadResult } from '../load/jobs.js'
import type { Target } from '../servers.js'
import type { PayloadKind, Verb } from '../workload/kinds.js'

/** What is asked for, by how many clients at a time, of which accounts. */
export type Scenario = Readonly<{ verb: Verb; clients: number; payload: PayloadKind }>

/** As it is written on the command line and in the table. */
export const scenarioName = ({ verb, clients, payload }: Scenario): string =>
  `${verb}@${clients}${payload.size === 'typical' ? '' : ` ${payload.size}`}`

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
