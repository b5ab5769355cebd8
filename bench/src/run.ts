import type { Bench } from './bench.js'
import { runScenario } from './measure/run-scenario.js'
import { assertSameRows } from './measure/same-rows.js'
import { scenarioName, type Scenario, type ScenarioResult } from './measure/scenario.js'
import type { Subject } from './measure/subject.js'
import type { Options } from './options.js'
import { median } from './measure/median.js'

const progress = (text: string): void => console.error(text)

/** A floor that does less than the work would be no floor: what both wrote for the first accounts is compared. */
const compareRows = async (scenario: Scenario, subjects: readonly Subject[]): Promise<void> => {
  const urlOf = (target: string): string | undefined =>
    subjects.find(({ system }) => system.target === target)?.system.databaseUrl
  const [ours, floor] = [urlOf('ours'), urlOf('floor')]
  if (!scenario.verb.endsWith('process') || ours === undefined || floor === undefined) return
  for (const index of [0, 1, 2]) await assertSameRows(ours, floor, index)
}

const measure = async (bench: Bench, scenario: Scenario, options: Options): Promise<ScenarioResult> => {
  const { subjects, close } = await bench.open(options.targets)
  try {
    const plan = { rounds: options.rounds, milliseconds: options.seconds * 1000 }
    const targets = await runScenario(scenario, subjects, plan, (taking) =>
      compareRows(
        scenario,
        subjects.filter(({ system }) => taking.includes(system.target)),
      ),
    )
    return { scenario, targets }
  } finally {
    await close()
  }
}

/** Measures the scenarios of the options; progress goes to stderr. */
export const run = async (bench: Bench, options: Options): Promise<readonly ScenarioResult[]> => {
  const results: ScenarioResult[] = []
  for (const scenario of options.scenarios) {
    const result = await measure(bench, scenario, options)
    const rates = result.targets.map(
      ({ target, rounds }) => `${target} ${median(rounds.map(({ rate }) => rate)).toFixed(0)}`,
    )
    progress(`${scenarioName(scenario)}: ${rates.join(', ')} a second`)
    results.push(result)
  }
  return results
}
