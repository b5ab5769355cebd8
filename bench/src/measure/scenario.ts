import type { PayloadKind } from '../workload/payload-kind.js'
import type { Verb } from '../workload/verbs.js'
import type { Target } from '../servers/system.js'
import type { Measured } from './measured.js'

/** What is asked for, by how many clients at a time, of which accounts. */
export type Scenario = Readonly<{ verb: Verb; clients: number; payload: PayloadKind }>

/** The rounds of one target, in the order they were run; the most memory it had, in MB. */
export type TargetResult = Readonly<{
  target: Target
  rounds: readonly Measured[]
  peakMemory: number | undefined
}>

export type ScenarioResult = Readonly<{ scenario: Scenario; targets: readonly TargetResult[] }>

/** As it is written on the command line and in the table. */
export const scenarioName = ({ verb, clients, payload }: Scenario): string =>
  [`${verb}@${clients}`, ...(payload.size === 'typical' ? [] : [payload.size])].join(' ')
