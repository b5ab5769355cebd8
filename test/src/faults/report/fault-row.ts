import { loadavg } from 'node:os'
import { machineText, markdownTable, saveTable } from './figures.js'

/** What came of all runs of one kind of fault. */
export type FaultRow = Readonly<{
  fault: string
  runs: number
  injected: number
  requests: number
  acknowledged: number
  lost: number
  doubled: number
  /** Answers 500, and any other that nobody should ever get. */
  errors500: number
  slowestRecoveryMilliseconds: number
}>

export const rowOf = (
  {
    fault,
    runs,
    injected,
    requests,
    acknowledged,
    slowestRecoveryMilliseconds,
  }: Omit<FaultRow, 'lost' | 'doubled' | 'errors500'>,
  violations: readonly string[],
): FaultRow => {
  const count = (invariants: RegExp): number => violations.filter((each) => invariants.test(each)).length
  const broken = { lost: count(/I[23467]/), doubled: count(/I[15]/), errors500: count(/I8/) }
  return { fault, runs, injected, requests, acknowledged, ...broken, slowestRecoveryMilliseconds }
}

export const added = (a: FaultRow, b: FaultRow): FaultRow => ({
  fault: a.fault,
  runs: a.runs + b.runs,
  injected: a.injected + b.injected,
  requests: a.requests + b.requests,
  acknowledged: a.acknowledged + b.acknowledged,
  lost: a.lost + b.lost,
  doubled: a.doubled + b.doubled,
  errors500: a.errors500 + b.errors500,
  slowestRecoveryMilliseconds: Math.max(a.slowestRecoveryMilliseconds, b.slowestRecoveryMilliseconds),
})

const head = 'fault|runs|faults|requests|acknowledged|lost|doubled|500s|slowest recovery, s'.split('|')

export const faultTable = (rows: readonly FaultRow[]): string => {
  const cells = ({ fault, slowestRecoveryMilliseconds, ...counts }: FaultRow): readonly string[] => [
    fault,
    ...Object.values(counts).map(String),
    (slowestRecoveryMilliseconds / 1000).toFixed(1),
  ]
  return markdownTable([head, ...rows.map(cells)], 1)
}

/** Before anything of ours runs. */
const [load = 0] = loadavg()

/**
 * Writes the rows into their section of docs/reference/fault-report.md, which has marks with its name. `what` says on
 * what they were measured, as `Galera 26.4, MariaDB 10.11`. Writes nothing where runs found something broken, which its columns
 * do not show, or a fault did not happen; says so then.
 */
export const saveFaults = (
  section: string,
  what: string,
  rows: readonly FaultRow[],
  broken: number,
): string | undefined => {
  if (broken > 0)
    return `${section}: not saved, as ${broken} run(s) found something broken, or did not break what they should`
  const machine = `${machineText(what)}; load ${load.toFixed(1)} before`
  saveTable(section, `${machine}.\n\n${faultTable(rows)}`, 'fault-report')
  return undefined
}
