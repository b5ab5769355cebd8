import type { Command } from 'commander'
import { E } from '@account-import/core/adapter-kit'
import type { ServerConfig } from '../../config/server-config.js'
import { ensureDemo } from '../../demo/ensure-demo.js'
import { demoJson, demoText } from '../../demo/demo-text.js'
import { createLog } from '../../log/create-log.js'
import { logCrashes } from '../../process/log-crashes.js'
import { untilSignalled } from '../../process/until-signalled.js'
import type { RunningServer } from '../../serve-api.js'
import { startServer } from '../../start-server.js'
import type { CliContext, JsonOption } from '../cli-context.js'
import type { CommandError } from '../command-error.js'
import type { CommandOutput } from '../command-result.js'
import { configured } from '../configured.js'
import { exitCode } from '../exit-code.js'
import { leafCommand } from '../leaf-command.js'

type Options = JsonOption & Readonly<{ migrate?: true; demo?: true }>

const demoRefused: CommandError = {
  exitCode: exitCode.refused,
  code: 'demo_refused',
  detail:
    'The demo runs on the embedded default only: leave DATABASE_URL out, or leave --demo out and make' +
    ' organisation, supplier, team and API key with the commands of their names.',
}

const output = async (server: RunningServer, config: ServerConfig, demo: boolean): Promise<CommandOutput> => {
  const address = `${server.address}${config.basePath}`
  if (!demo) return { json: { address }, text: `Serving ${address} (stop with Ctrl-C)` }
  const data = await ensureDemo(server.useCases.operator, config.dataDir)
  return { json: { address, demo: demoJson(data) }, text: demoText(address, data) }
}

const run = async ({ finish }: CliContext, config: ServerConfig, options: Options): Promise<void> => {
  const log = createLog(config.logLevel)
  logCrashes(log)
  const server = await startServer(config, { migrate: options.migrate === true, log })
  const signal = untilSignalled()
  try {
    finish(E.right(await output(server, config, options.demo === true)), options)
    await signal
  } finally {
    await server.stop()
  }
}

/** `serve [--migrate] [--demo]`: runs until SIGTERM or SIGINT. */
export const serveCommand = (context: CliContext): Command =>
  leafCommand('serve', 'Run the HTTP server until it gets SIGTERM or SIGINT.')
    .option('--migrate', 'run pending migrations of a database server first')
    .option('--demo', 'make demo data on the first run and print what to type next')
    .action(async (options: Options) => {
      const config = configured(context.io, 'serve')
      if (config._tag === 'Left') return context.finish(config, options)
      if (options.demo === true && config.right.database.kind === 'server')
        return context.finish(E.left(demoRefused), options)
      await run(context, config.right, options)
    })
