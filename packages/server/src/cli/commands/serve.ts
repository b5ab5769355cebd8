import { E } from '@account-import/core/adapter-kit'
import type { Command } from 'commander'
import { isProduction } from '../../config/production.js'
import { isGiven } from '../../config/required.js'
import type { ServerConfig } from '../../config/server-config.js'
import { ensureDemo } from '../../demo/ensure-demo.js'
import { createLog } from '../../log/create-log.js'
import { logCrashes } from '../../log/log-crashes.js'
import { keepHeapSmall } from '../../process/keep-heap-small.js'
import { untilSignalled } from '../../process/until-signalled.js'
import { wholeNumber } from '../arguments/arguments.js'
import type { CliContext } from '../cli-io.js'
import { type CommandError, exitCode } from '../command-result.js'
import { configured } from '../configured.js'
import { leafCommand } from '../leaf-command.js'
import { isTold, serving } from '../output/serving.js'
import type { ServeOptions } from '../serve-by-workers.js'

const mostWorkers = 64

const demoRefused: CommandError = {
  exitCode: exitCode.refused,
  code: 'demo_refused',
  detail:
    'The demo runs on the embedded default only: leave DATABASE_URL out, or leave --demo out and make' +
    ' organisation, supplier, team and API key with the commands of their names.',
}

const demoInProduction: CommandError = {
  exitCode: exitCode.refused,
  code: 'demo_refused',
  detail:
    'The demo makes a key for everything, so there is none in production: leave --demo out and make organisation, supplier,' +
    ' team and API key with the commands of their names; to try it out, leave NODE_ENV=production out.',
}

/** The demo has the sandbox, unless vendors are named. */
const withSandbox = (context: CliContext): CliContext => {
  const { environment } = context.io
  if (isGiven(environment, 'PAYMENT_VENDORS')) return context
  return { ...context, io: { ...context.io, environment: { ...environment, PAYMENT_VENDORS: 'SANDBOX' } } }
}

const quiet = 'Only warnings are logged here; LOG_LEVEL=info logs each request.'

/** On a terminal the requests of a demo would push away what it says. */
const quietOf = ({ io }: CliContext, { demo }: ServeOptions): boolean =>
  demo === true && io.terminal !== undefined && (io.environment['LOG_LEVEL'] ?? '').trim() === ''

const serveHere = async (
  { io, finish }: CliContext,
  config: ServerConfig,
  options: ServeOptions,
  notices: readonly string[],
): Promise<void> => {
  const log = createLog(config.logLevel)
  logCrashes(log)
  keepHeapSmall()
  // Modules that only the server needs take long to load, and other commands do without them.
  const { startServer } = await import('../../start-server.js')
  const server = await startServer(config, { migrate: options.migrate === true, log })
  const signal = untilSignalled(io.environment)
  try {
    const { operator } = server.useCases
    const demo = options.demo === true ? { made: await ensureDemo(operator, config.dataDir) } : undefined
    if (isTold(io, options))
      finish(E.right(serving(`${server.address}${config.basePath}`, demo, notices)), options)
    await signal
  } finally {
    await server.stop()
  }
}

/** `serve [--migrate] [--demo] [--workers N]`: runs until SIGTERM or SIGINT. */
export const serveCommand = (given: CliContext): Command =>
  leafCommand('serve', 'Run the HTTP server until it gets SIGTERM or SIGINT.')
    .option('--migrate', 'run pending migrations of a database server first')
    .option('--demo', 'make demo data on the first run and say where its key lies and what to do next')
    .option('--workers <n>', 'processes that serve on the one port', wholeNumber(1, mostWorkers), 1)
    .action(async (options: ServeOptions) => {
      if (options.demo === true && isProduction(given.io.environment))
        return given.finish(E.left(demoInProduction), options)
      const context = options.demo === true ? withSandbox(given) : given
      const config = configured(context.io, 'serve')
      if (config._tag === 'Left') return context.finish(config, options)
      if (options.demo === true && config.right.database.kind === 'server')
        return context.finish(E.left(demoRefused), options)
      const isQuiet = quietOf(context, options)
      const chosen: ServerConfig = isQuiet ? { ...config.right, logLevel: 'warn' } : config.right
      const notices = isQuiet ? [quiet] : []
      if (options.workers === 1) return serveHere(context, chosen, options, notices)
      const { serveByWorkers } = await import('../serve-by-workers.js')
      return serveByWorkers(context, chosen, options, notices)
    })
