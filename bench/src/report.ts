import { markdownTable, median } from '@account-import/test/performance'
import { scenarioName, type Measured, type Scenario, type TargetResult } from './measure/subject.js'
import { targets as allTargets, type Target } from './servers.js'

type Spread = Readonly<{ middle: number; lowest: number; highest: number }>

const rounded = (value: number): number => Math.round(value * 1000) / 1000

const spreadOf = (values: readonly number[]): Spread => ({
  middle: rounded(median(values)),
  lowest: rounded(Math.min(...values)),
  highest: rounded(Math.max(...values)),
})

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** One target in one scenario: medians of its rounds, sums of what went wrong. Null: not known here. */
const targetSummary = (result: TargetResult, all: readonly TargetResult[]) => {
  const { target, rounds, peakMemory } = result
  const known = (
    figure: (round: Measured) => number | undefined,
    combine: (values: readonly number[]) => number,
  ): number | null => {
    const values = rounds.map(figure).filter((value) => value !== undefined)
    return values.length < rounds.length ? null : Math.round(combine(values))
  }
  const microseconds = (values: readonly number[]): number => median(values) * 1000
  const others = all.filter((other) => other.target !== target)
  return {
    target,
    accountsPerSecond: spreadOf(rounds.map(({ rate }) => rate)),
    p50Milliseconds: rounded(median(rounds.map(({ p50 }) => p50))),
    p99Milliseconds: rounded(median(rounds.map(({ p99 }) => p99))),
    accounts: sum(rounds.map(({ sent }) => sent)),
    errors: sum(rounds.map(({ sent, succeeded }) => sent - succeeded)),
    deadlocksAndLockTimeouts: known(({ brokenOff }) => brokenOff, sum),
    /** For each account. */
    serverMicroseconds: known(({ serverCpu }) => serverCpu, microseconds),
    databaseMicroseconds: known(({ databaseCpu }) => databaseCpu, microseconds),
    /** MB. */
    peakMemory: peakMemory === undefined ? null : Math.round(peakMemory),
    /** Accounts a second beside each other target, round by round. */
    ratios: Object.fromEntries(
      others.map((other) => [
        other.target,
        spreadOf(rounds.map(({ rate }, round) => rate / (other.rounds[round]?.rate ?? Number.NaN))),
      ]),
    ) as Readonly<Partial<Record<Target, Spread>>>,
  }
}

type TargetSummary = ReturnType<typeof targetSummary>

export const scenarioSummary = (scenario: Scenario, results: readonly TargetResult[]) => ({
  scenario: scenarioName(scenario),
  targets: results.map((result) => targetSummary(result, results)),
})

export type ScenarioSummary = Readonly<ReturnType<typeof scenarioSummary>>

const shown = (value: number | null, digits = 0): string => (value === null ? '' : value.toFixed(digits))

const spreadText = (spread: Spread | undefined, digits: number): string =>
  spread === undefined
    ? ''
    : `${spread.middle.toFixed(digits)} (${spread.lowest.toFixed(digits)}–${spread.highest.toFixed(digits)})`

const columns: Readonly<Record<string, (summary: TargetSummary) => string>> = {
  target: ({ target }) => target,
  'accounts/s': ({ accountsPerSecond }) => spreadText(accountsPerSecond, 0),
  'p50 ms': ({ p50Milliseconds }) => shown(p50Milliseconds, 1),
  'p99 ms': ({ p99Milliseconds }) => shown(p99Milliseconds, 1),
  errors: ({ errors }) => shown(errors),
  deadlocks: ({ deadlocksAndLockTimeouts }) => shown(deadlocksAndLockTimeouts),
  'server µs': ({ serverMicroseconds }) => shown(serverMicroseconds),
  'database µs': ({ databaseMicroseconds }) => shown(databaseMicroseconds),
  'peak MB': ({ peakMemory }) => shown(peakMemory),
}

/** The table that a run ends with, in Markdown: a line for each target of each scenario. */
export const reportText = (summaries: readonly ScenarioSummary[]): string => {
  const measured = new Set(summaries.flatMap(({ targets }) => targets.map(({ target }) => target)))
  const others = allTargets.filter((target) => target !== 'ours' && measured.has(target))
  const rows = summaries.flatMap(({ scenario, targets }) =>
    targets.map((summary) => [
      scenario,
      ...Object.values(columns).map((text) => text(summary)),
      ...others.map((other) => spreadText(summary.ratios[other], 2)),
    ]),
  )
  const heads = ['scenario', ...Object.keys(columns), ...others.map((other) => `of ${other}`)]
  return markdownTable([heads, ...rows], 2)
}
