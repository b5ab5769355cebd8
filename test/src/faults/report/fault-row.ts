import { loadavg } from 'node:os'
import { machineText, markdownTable, saveTable } from './figures.js'

/** The counts of a fault, and their columns in the report. */
const columns = {
  runs: 'runs',
  injected: 'faults',
  requests: 'requests',
  acknowledged: 'acknowledged',
  lost: 'lost',
  doubled: 'doubled',
  /** Responses 500, and all others that are never allowed. */
  errors500: '500s',
} as const

type Count = keyof typeof columns
const counts = Object.keys(columns) as Count[]

/** The outcome of all runs of one kind of fault. */
export type FaultRow = Readonly<{ fault: string; slowestRecoveryMilliseconds: number }> &
  Readonly<Record<Count, number>>

export const rowOf = (
  figures: Omit<FaultRow, 'lost' | 'doubled' | 'errors500'>,
  violations: readonly string[],
): FaultRow => {
  const count = (invariants: RegExp): number => violations.filter((each) => invariants.test(each)).length
  return { ...figures, lost: count(/I[23467]/), doubled: count(/I[15]/), errors500: count(/I8/) }
}

export const added = (a: FaultRow, b: FaultRow): FaultRow => ({
  ...a,
  ...(Object.fromEntries(counts.map((name) => [name, a[name] + b[name]])) as Record<Count, number>),
  slowestRecoveryMilliseconds: Math.max(a.slowestRecoveryMilliseconds, b.slowestRecoveryMilliseconds),
})

/** The counts that only a run with a violation has. */
const ofViolations: readonly Count[] = ['lost', 'doubled', 'errors500']

export const faultTable = (rows: readonly FaultRow[], shown = counts): string => {
  const head = ['fault', ...shown.map((name) => columns[name]), 'slowest recovery, s']
  const cells = (row: FaultRow): readonly string[] => [
    row.fault,
    ...shown.map((name) => String(row[name])),
    (row.slowestRecoveryMilliseconds / 1000).toFixed(1),
  ]
  return markdownTable([head, ...rows.map(cells)], 1)
}

/** Measured before any of our processes runs. */
const [load = 0] = loadavg()

/**
 * Writes the rows into their section of docs/reference/fault-report.md, between the marks with its name. `what` names the
 * measured systems, as `Galera 26.4, MariaDB 10.11`. Writes nothing and reports it where runs found a violation, for which the page
 * has no columns, or a fault did not happen.
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
  const shown = counts.filter((name) => !ofViolations.includes(name))
  saveTable(section, `${machine}.\n\n${faultTable(rows, shown)}`, 'fault-report')
  return undefined
}
