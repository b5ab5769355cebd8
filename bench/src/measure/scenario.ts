import type { Verb } from '../workload/requests.js'
import type { Measured } from './measured.js'
import { median } from './median.js'
import type { StockedVerb, Subject } from './subject.js'

export type Scenario = Readonly<{ verb: Verb; clients: number }>

export type Plan = Readonly<{ rounds: number; milliseconds: number }>

/** The rounds of one scenario, in the order they were run. */
export type ScenarioResult = Scenario & Readonly<{ ours: readonly Measured[]; floor: readonly Measured[] }>

/** Requests a second that no server can reach, by what they ask for. */
const fast: Readonly<Record<StockedVerb, number>> = { process: 600, transactions: 60 }

/** Accounts that a round may need: as many as the fastest one yet, and a half more. */
const stockFor = (verb: StockedVerb, runs: readonly Measured[], milliseconds: number): number =>
  Math.ceil((Math.max(fast[verb], ...runs.map(({ rate }) => rate)) * 1.5 * milliseconds) / 1000)

/**
 * Runs our server and the floor in turns, each first every other time, so that other work of the machine hits both
 * alike. What has to be staged before is staged outside the measured time.
 */
export const runScenario = async (
  scenario: Scenario,
  subjects: Readonly<{ ours: Subject; floor: Subject }>,
  { rounds, milliseconds }: Plan,
): Promise<ScenarioResult> => {
  const results = { ours: [] as Measured[], floor: [] as Measured[] }
  for (let round = 0; round < rounds; round += 1)
    for (const name of round % 2 === 0 ? (['ours', 'floor'] as const) : (['floor', 'ours'] as const)) {
      const { verb } = scenario
      if (verb !== 'stage') await subjects[name].stock(verb, stockFor(verb, results[name], milliseconds))
      results[name].push(await subjects[name].run({ ...scenario, milliseconds }))
    }
  return { ...scenario, ...results }
}

/** The rate of our server divided by that of the floor, for each round. */
export const ratiosOf = ({ ours, floor }: ScenarioResult): readonly number[] =>
  ours.map(({ rate }, round) => rate / (floor[round]?.rate ?? Number.NaN))

/** The middle of the ratios: what a scenario is measured by. */
export const ratioOf = (result: ScenarioResult): number => median(ratiosOf(result))
