import { once } from 'node:events'
import { machineText, saveTable } from '@account-import/test/performance'
import { openBench } from './bench.js'
import { runHostile } from './hostile/run-hostile.js'
import { readOptions, usage, type Options } from './options.js'
import { reportText } from './report/report-text.js'
import { scenarioSummary } from './report/summary.js'
import { run } from './run.js'
import { runValidation } from './validation/run-validation.js'

const databaseNames = { mariadb: 'MariaDB', sqlite: 'SQLite' } as const

const interrupted = async (): Promise<never> => {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  throw new Error('Interrupted')
}

const requests = async (options: Options): Promise<void> => {
  const { database, rounds, seconds } = options
  const opened = await openBench(options)
  try {
    const summaries = (await Promise.race([run(opened, options), interrupted()])).map(scenarioSummary)
    const machine = `${machineText(databaseNames[database])}; ${rounds} rounds of ${seconds} s each.`
    const text = `${machine}\n\n${reportText(summaries)}`
    console.log(options.json ? JSON.stringify({ machine, scenarios: summaries }) : text)
    if (options.save) saveTable(databaseNames[database], text)
  } finally {
    await opened.close()
  }
}

const bench = async (options: Options): Promise<void> => {
  const { section, rounds, seconds, json } = options
  if (section === 'validation') runValidation({ milliseconds: seconds * 1000, json })
  else if (section === 'hostile') await runHostile({ rounds, json })
  else await requests(options)
}

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
    await bench(options)
    return 0
  } catch (cause) {
    console.error(cause)
    return 1
  }
}

// What an interruption cut off may still wait for servers that are gone, so the end is not left to the event loop.
process.exit(await main(process.argv.slice(2)))
