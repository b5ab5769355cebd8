import { once } from 'node:events'
import { openBench } from './bench.js'
import { runHostile } from './hostile/run-hostile.js'
import { readOptions, usage, type Options } from './options.js'
import { run } from './run.js'
import { runValidation } from './validation/run-validation.js'

const interrupted = async (): Promise<never> => {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  throw new Error('Interrupted')
}

const overHttp = async (options: Options): Promise<void> => {
  const opened = await openBench(options.profileFolder)
  try {
    await Promise.race([run(opened, options), interrupted()])
  } finally {
    await opened.close()
  }
}

const bench = async (options: Options): Promise<void> => {
  const { sections, rounds, seconds, json } = options
  if (sections.includes('validation')) runValidation({ milliseconds: seconds * 1000, json })
  if (sections.includes('hostile')) await runHostile({ rounds, json })
  if (sections.includes('http')) await overHttp(options)
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
