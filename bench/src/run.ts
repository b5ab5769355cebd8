import type { Bench } from './bench.js'
import { runScenario } from './measure/scenario.js'
import { assertSameRows } from './measure/same-rows.js'
import type { Options } from './options.js'
import { reportText } from './report/report-text.js'
import { soakText } from './report/soak-text.js'
import { verbs } from './workload/requests.js'
import { scenarioSummary, systemSummary, type ScenarioSummary } from './report/summary.js'

const progress = (text: string): void => console.error(text)

/** Both servers compile, connect and prepare what they need, and the first accounts are compared row by row. */
const warmUp = async ({ ours, floor }: Bench): Promise<void> => {
  progress('warming up')
  for (const { run, system } of [ours, floor])
    for (const verb of verbs) {
      const { failed, firstFailure } = await run({ verb, clients: 16, milliseconds: 2000 })
      if (firstFailure !== undefined)
        throw new Error(`${system.name} cannot ${verb}: ${JSON.stringify(failed)} ${firstFailure}`)
    }
  for (const index of [0, 1]) await assertSameRows(ours.system.databaseUrl, floor.system.databaseUrl, index)
}

const runSoak = async ({ ours }: Bench, seconds: number, { json, scenarios }: Options): Promise<void> => {
  const clients = Math.max(...scenarios.map((scenario) => scenario.clients))
  const run = await ours.run({ verb: 'stage', clients, milliseconds: seconds * 1000 })
  const summary = systemSummary([run])
  if (run.firstFailure !== undefined) progress(`${JSON.stringify(run.failed)} ${run.firstFailure}`)
  console.log(
    json ? JSON.stringify({ soak: { clients, seconds, ...summary } }) : soakText(clients, seconds, summary),
  )
}

/** Runs what the options ask for and prints the result; progress goes to stderr. */
export const run = async (bench: Bench, options: Options): Promise<void> => {
  await warmUp(bench)
  if (options.soakSeconds !== undefined) return runSoak(bench, options.soakSeconds, options)
  const summaries: ScenarioSummary[] = []
  for (const scenario of options.scenarios) {
    const plan = { rounds: options.rounds, milliseconds: options.seconds * 1000 }
    const summary = scenarioSummary(await runScenario(scenario, bench, plan))
    summaries.push(summary)
    progress(`${scenario.verb}, ${scenario.clients} clients: ${summary.ratios.join(', ')}`)
  }
  console.log(options.json ? JSON.stringify({ scenarios: summaries }) : reportText(summaries))
}
