import { once } from 'node:events'
import { machineText, saveTable } from '@account-import/test/performance'
import { withBench, type Measure } from './bench.js'
import { runHostile } from './hostile.js'
import { runScenario } from './measure/run-scenario.js'
import { readOptions, usage, type Options } from './options.js'
import { reportText, scenarioSummary, type ScenarioSummary } from './report.js'
import { runValidation } from './validation.js'

const databaseNames = { mariadb: 'MariaDB', sqlite: 'SQLite' } as const

const interrupted = async (): Promise<never> => {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  throw new Error('Interrupted')
}

/** Measures the scenarios of the options; progress goes to stderr. */
const summariesOf = async (options: Options, measure: Measure): Promise<readonly ScenarioSummary[]> => {
  const plan = { rounds: options.rounds, milliseconds: options.seconds * 1000 }
  const summaries: ScenarioSummary[] = []
  for (const scenario of options.scenarios) {
    const results = await measure((subjects) => runScenario(scenario, subjects, plan))
    const summary = scenarioSummary(scenario, results)
    const rates = summary.targets.map((each) => `${each.target} ${each.accountsPerSecond.middle.toFixed(0)}`)
    console.error(`${summary.scenario}: ${rates.join(', ')} a second`)
    summaries.push(summary)
  }
  return summaries
}

const requests = async (options: Options): Promise<void> => {
  const { database, rounds, seconds } = options
  const scenarios = await withBench(options, (measure) =>
    Promise.race([summariesOf(options, measure), interrupted()]),
  )
  const machine = `${machineText(databaseNames[database])}; ${rounds} rounds of ${seconds} s each.`
  const text = `${machine}\n\n${reportText(scenarios)}`
  console.log(options.json ? JSON.stringify({ machine, scenarios }) : text)
  if (options.save) saveTable(databaseNames[database], text)
}

const sections = { requests, validation: runValidation, hostile: runHostile } as const

const main = async (args: readonly string[]): Promise<number> => {
  if (args.includes('--help')) {
    console.log(usage)
    return 0
  }
  const options = readOptions(args)
  if (typeof options === 'string') {
    console.error(`${options}\n\n${usage}`)
    return 2
  }
  try {
    await sections[options.section](options)
    return 0
  } catch (cause) {
    console.error(cause)
    return 1
  }
}

// What an interruption cut off may still wait for servers that are gone, so the end is not left to the event loop.
process.exit(await main(process.argv.slice(2)))
