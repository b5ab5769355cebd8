/** What came of all runs of one kind of fault. */
export type FaultRow = Readonly<{
  /** What was done, in words. */
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

const head = [
  'fault',
  'runs',
  'faults',
  'requests',
  'acknowledged',
  'lost',
  'doubled',
  '500s',
  'slowest recovery, s',
]

/** The rows of a kind of fault as one. */
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

const cells = (row: FaultRow): readonly string[] => [
  row.fault,
  ...[row.runs, row.injected, row.requests, row.acknowledged, row.lost, row.doubled, row.errors500].map(
    String,
  ),
  (row.slowestRecoveryMilliseconds / 1000).toFixed(1),
]

/** The cells of a table with a line for each row. */
export const faultTable = (rows: readonly FaultRow[]): readonly (readonly string[])[] => [
  head,
  ...rows.map(cells),
]
