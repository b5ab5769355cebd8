import { median } from '../measure/median.js'
import { scenarioName, type ScenarioResult, type TargetResult } from '../measure/scenario.js'
import type { Target } from '../servers/system.js'

/** The middle of the rounds, with the lowest and the highest. */
export type Spread = Readonly<{ middle: number; lowest: number; highest: number }>

/** One target in one scenario: medians of its rounds, sums of what went wrong. Null: not known here. */
export type TargetSummary = Readonly<{
  target: Target
  accountsPerSecond: Spread
  p50Milliseconds: number
  p99Milliseconds: number
  accounts: number
  errors: number
  deadlocksAndLockTimeouts: number | null
  /** For each account. */
  serverMicroseconds: number | null
  databaseMicroseconds: number | null
  /** MB. */
  peakMemory: number | null
  /** Accounts a second beside each other target, round by round. */
  ratios: Readonly<Partial<Record<Target, Spread>>>
}>

export type ScenarioSummary = Readonly<{ scenario: string; targets: readonly TargetSummary[] }>

const rounded = (value: number): number => Math.round(value * 1000) / 1000

const spreadOf = (values: readonly number[]): Spread => ({
  middle: rounded(median(values)),
  lowest: rounded(Math.min(...values)),
  highest: rounded(Math.max(...values)),
})

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const known = (values: readonly (number | undefined)[]): readonly number[] | undefined => {
  const found = values.filter((value) => value !== undefined)
  return found.length < values.length ? undefined : found
}

/** Milliseconds as microseconds; the middle of the rounds. */
const microseconds = (values: readonly (number | undefined)[]): number | null => {
  const all = known(values)
  return all === undefined ? null : Math.round(median(all) * 1000)
}

const ratiosOf = (result: TargetResult, others: readonly TargetResult[]): TargetSummary['ratios'] =>
  Object.fromEntries(
    others
      .filter(({ target }) => target !== result.target)
      .map(({ target, rounds }) => [
        target,
        spreadOf(result.rounds.map(({ rate }, round) => rate / (rounds[round]?.rate ?? Number.NaN))),
      ]),
  )

const targetSummary = (result: TargetResult, all: readonly TargetResult[]): TargetSummary => {
  const { target, rounds, peakMemory } = result
  const brokenOff = known(rounds.map((round) => round.brokenOff))
  return {
    target,
    accountsPerSecond: spreadOf(rounds.map(({ rate }) => rate)),
    p50Milliseconds: rounded(median(rounds.map(({ p50 }) => p50))),
    p99Milliseconds: rounded(median(rounds.map(({ p99 }) => p99))),
    accounts: sum(rounds.map(({ sent }) => sent)),
    errors: sum(rounds.map(({ sent, succeeded }) => sent - succeeded)),
    deadlocksAndLockTimeouts: brokenOff === undefined ? null : sum(brokenOff),
    serverMicroseconds: microseconds(rounds.map(({ serverCpu }) => serverCpu)),
    databaseMicroseconds: microseconds(rounds.map(({ databaseCpu }) => databaseCpu)),
    peakMemory: peakMemory === undefined ? null : Math.round(peakMemory),
    ratios: ratiosOf(result, all),
  }
}

export const scenarioSummary = ({ scenario, targets }: ScenarioResult): ScenarioSummary => ({
  scenario: scenarioName(scenario),
  targets: targets.map((target) => targetSummary(target, targets)),
})
