import { markdownTable, median } from '@account-import/test/performance'
import { scenarioName, type Measured, type Scenario, type TargetResult } from './measure/subject.js'
import { targets as allTargets } from './servers.js'

/** The outcome of a scenario for each target. */
export type ScenarioResults = Readonly<{ scenario: Scenario; results: readonly TargetResult[] }>

export const rateOf = ({ rounds }: TargetResult): number => median(rounds.map(({ rate }) => rate))

const spreadText = (values: readonly number[], digits: number): string => {
  const [middle, lowest, highest] = [median(values), Math.min(...values), Math.max(...values)]
  return `${middle.toFixed(digits)} (${lowest.toFixed(digits)}–${highest.toFixed(digits)})`
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const microseconds = (values: readonly number[]): number => median(values) * 1000

/** A column of what the rounds come to; empty where that is not known here. */
const ofRounds =
  (figure: (round: Measured) => number | undefined, combine = median, digits = 0) =>
  ({ rounds }: TargetResult): string => {
    const values = rounds.map(figure).filter((value) => value !== undefined)
    return values.length < rounds.length ? '' : combine(values).toFixed(digits)
  }

const columns: Readonly<Record<string, (result: TargetResult) => string>> = {
  target: ({ target }) => target,
  'accounts/s': ({ rounds }) =>
    spreadText(
      rounds.map(({ rate }) => rate),
      0,
    ),
  'p50 ms': ofRounds(({ p50 }) => p50, median, 1),
  'p99 ms': ofRounds(({ p99 }) => p99, median, 1),
  errors: ofRounds(({ sent, succeeded }) => sent - succeeded, sum),
  deadlocks: ofRounds(({ brokenOff }) => brokenOff, sum),
  'server µs': ofRounds(({ serverCpu }) => serverCpu, microseconds),
  'database µs': ofRounds(({ databaseCpu }) => databaseCpu, microseconds),
  'peak MB': ({ peakMemory }) => peakMemory?.toFixed(0) ?? '',
}

/** Accounts a second beside another target, round by round. */
const ratios = ({ target, rounds }: TargetResult, other: TargetResult | undefined): string =>
  other === undefined || other.target === target
    ? ''
    : spreadText(
        rounds.map(({ rate }, round) => rate / (other.rounds[round]?.rate ?? Number.NaN)),
        2,
      )

/** Counts of faults, which the table shows only if there are any. */
const faults = ['errors', 'deadlocks']

/** The table that a run ends with, in Markdown: a line for each target of each scenario. */
export const reportText = (all: readonly ScenarioResults[]): string => {
  const measured = new Set(all.flatMap(({ results }) => results.map(({ target }) => target)))
  const others = allTargets.filter((target) => target !== 'ours' && measured.has(target))
  const shown = Object.entries(columns).filter(
    ([name, text]) =>
      !faults.includes(name) || all.some(({ results }) => results.some((each) => text(each) !== '0')),
  )
  const rows = all.flatMap(({ scenario, results }) =>
    results.map((result) => [
      scenarioName(scenario),
      ...shown.map(([, text]) => text(result)),
      ...others.map((other) =>
        ratios(
          result,
          results.find(({ target }) => target === other),
        ),
      ),
    ]),
  )
  const heads = ['scenario', ...shown.map(([name]) => name), ...others.map((other) => `of ${other}`)]
  return markdownTable([heads, ...rows], 2)
}
