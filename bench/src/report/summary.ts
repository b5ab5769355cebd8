import type { Measured } from '../measure/measured.js'
import { median } from '../measure/median.js'
import { ratioOf, ratiosOf, type ScenarioResult } from '../measure/scenario.js'

/** One system in one scenario: medians of its rounds, sums of what went wrong. */
export type SystemSummary = Readonly<{
  requestsPerSecond: number
  p50Milliseconds: number
  p99Milliseconds: number
  requests: number
  errors: number
  deadlocksAndLockTimeouts: number
  /** Milliseconds for each request; null where the system does not say. */
  serverCpuMilliseconds: number | null
  databaseCpuMilliseconds: number | null
}>

export type ScenarioSummary = Readonly<{
  scenario: string
  clients: number
  /** The median of the rounds. */
  ratio: number
  ratios: readonly number[]
  ours: SystemSummary
  floor: SystemSummary
}>

const round = (value: number): number => Math.round(value * 1000) / 1000

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const medianOrNull = (values: readonly (number | undefined)[]): number | null => {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? null : round(median(known))
}

export const systemSummary = (runs: readonly Measured[]): SystemSummary => ({
  requestsPerSecond: round(median(runs.map(({ rate }) => rate))),
  p50Milliseconds: round(median(runs.map(({ p50 }) => p50))),
  p99Milliseconds: round(median(runs.map(({ p99 }) => p99))),
  requests: sum(runs.map(({ sent }) => sent)),
  errors: sum(runs.map(({ sent, succeeded }) => sent - succeeded)),
  deadlocksAndLockTimeouts: sum(runs.map(({ brokenOff }) => brokenOff)),
  serverCpuMilliseconds: medianOrNull(runs.map(({ serverCpu }) => serverCpu)),
  databaseCpuMilliseconds: medianOrNull(runs.map(({ databaseCpu }) => databaseCpu)),
})

export const scenarioSummary = (result: ScenarioResult): ScenarioSummary => ({
  scenario: result.verb,
  clients: result.clients,
  ratio: round(ratioOf(result)),
  ratios: ratiosOf(result).map(round),
  ours: systemSummary(result.ours),
  floor: systemSummary(result.floor),
})
