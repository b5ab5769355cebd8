import type { ScenarioSummary, SystemSummary } from './summary.js'
import { textTable } from './table.js'

const heads = [
  'scenario',
  'clients',
  'ratio',
  'rounds',
  'req/s',
  'floor',
  'p50 ms',
  'floor',
  'p99 ms',
  'floor',
  'errors',
  'floor',
  'deadlocks',
  'floor',
  'cpu ms',
  'floor',
  'db cpu ms',
  'floor',
]

const fixed = (value: number | null, digits: number): string => (value === null ? '-' : value.toFixed(digits))

const cells = ({ scenario, clients, ratio, ratios, ours, floor }: ScenarioSummary): readonly string[] => {
  const both = (cell: (system: SystemSummary) => string): readonly string[] => [cell(ours), cell(floor)]
  return [
    scenario,
    String(clients),
    fixed(ratio, 2),
    `${fixed(Math.min(...ratios), 2)}-${fixed(Math.max(...ratios), 2)}`,
    ...both(({ requestsPerSecond }) => fixed(requestsPerSecond, 0)),
    ...both(({ p50Milliseconds }) => fixed(p50Milliseconds, 1)),
    ...both(({ p99Milliseconds }) => fixed(p99Milliseconds, 1)),
    ...both(({ errors }) => String(errors)),
    ...both(({ deadlocksAndLockTimeouts }) => String(deadlocksAndLockTimeouts)),
    ...both(({ serverCpuMilliseconds }) => fixed(serverCpuMilliseconds, 2)),
    ...both(({ databaseCpuMilliseconds }) => fixed(databaseCpuMilliseconds, 2)),
  ]
}

/** The table that a run ends with. */
export const reportText = (summaries: readonly ScenarioSummary[]): string =>
  [
    textTable([heads, ...summaries.map(cells)]),
    '',
    'ratio: our requests a second over the hand-written floor’s, the median of the rounds; then the lowest and the',
    'highest. cpu: what server and database used of the processors for each request. deadlocks: with lock timeouts,',
    'counted inside the database.',
  ].join('\n')
