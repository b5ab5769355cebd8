import { markdownTable } from '@account-import/test/performance'
import { targets as allTargets, type Target } from '../servers/system.js'
import type { ScenarioSummary, Spread, TargetSummary } from './summary.js'

const heads = [
  'scenario',
  'target',
  'accounts/s',
  'p50 ms',
  'p99 ms',
  'errors',
  'deadlocks',
  'server µs',
  'database µs',
  'peak MB',
] as const

const shown = (value: number | null, digits = 0): string => (value === null ? '' : value.toFixed(digits))

const spreadText = ({ middle, lowest, highest }: Spread, digits: number): string =>
  `${middle.toFixed(digits)} (${lowest.toFixed(digits)}–${highest.toFixed(digits)})`

const ratioText = (summary: TargetSummary, other: Target): string => {
  const ratio = summary.ratios[other]
  return ratio === undefined ? '' : spreadText(ratio, 2)
}

const cells = (scenario: string, summary: TargetSummary, others: readonly Target[]): readonly string[] => [
  scenario,
  summary.target,
  spreadText(summary.accountsPerSecond, 0),
  shown(summary.p50Milliseconds, 1),
  shown(summary.p99Milliseconds, 1),
  shown(summary.errors),
  shown(summary.deadlocksAndLockTimeouts),
  shown(summary.serverMicroseconds),
  shown(summary.databaseMicroseconds),
  shown(summary.peakMemory),
  ...others.map((other) => ratioText(summary, other)),
]

/** The table that a run ends with, in Markdown: a line for each target of each scenario. */
export const reportText = (summaries: readonly ScenarioSummary[]): string => {
  const measured = new Set(summaries.flatMap(({ targets }) => targets.map(({ target }) => target)))
  const others = allTargets.filter((target) => target !== 'ours' && measured.has(target))
  const rows = summaries.flatMap(({ scenario, targets }) =>
    targets.map((summary) => cells(scenario, summary, others)),
  )
  return markdownTable([[...heads, ...others.map((other) => `of ${other}`)], ...rows], 2)
}
