import { once } from 'node:events'
import { command } from '@account-import/test/options'
import { machineText, saveTable } from '@account-import/test/performance'
import { withBench, type Measure } from './bench.js'
import { runScenario } from './measure/run-scenario.js'
import { optionsOf, optionTexts, usage, type Options } from './options.js'
import { rateOf, reportText, type ScenarioResults } from './report.js'
import { scenarioName } from './measure/subject.js'
import { runValidation } from './validation.js'

const databaseNames = { mariadb: 'MariaDB', sqlite: 'SQLite' } as const

const interrupted = async (): Promise<never> => {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  throw new Error('Interrupted')
}

/** Measures the scenarios of the options; progress goes to stderr. */
const resultsOf = async (options: Options, measure: Measure): Promise<readonly ScenarioResults[]> => {
  const plan = { rounds: options.rounds, milliseconds: options.seconds * 1000 }
  const measured: ScenarioResults[] = []
  for (const scenario of options.scenarios) {
    const results = await measure((subjects) => runScenario(scenario, subjects, plan))
    const rates = results.map((each) => `${each.target} ${rateOf(each).toFixed(0)}`)
    console.error(`${scenarioName(scenario)}: ${rates.join(', ')} a second`)
    measured.push({ scenario, results })
  }
  return measured
}

const requests = async (options: Options): Promise<void> => {
  const { database, rounds, seconds } = options
  const measured = await withBench(options, (measure) =>
    Promise.race([resultsOf(options, measure), interrupted()]),
  )
  const machine = `${machineText(databaseNames[database])}; ${rounds} rounds of ${seconds} s each.`
  const text = `${machine}\n\n${reportText(measured)}`
  console.log(text)
  if (options.save) saveTable(databaseNames[database], text)
}

const sections = { requests, validation: runValidation } as const

const bench = command(usage, { texts: optionTexts, flags: ['save', 'help'] }, async (given) => {
  if (given.isGiven('help')) {
    console.log(usage)
    return true
  }
  const options = optionsOf(given)
  await sections[options.section](options)
  return true
})

const failed = (cause: unknown): number => {
  console.error(cause)
  return 1
}

// After an interruption pending work may still wait for servers that are gone, so the end is not left to the event loop.
process.exit(await bench.run(process.argv.slice(2)).catch(failed))
