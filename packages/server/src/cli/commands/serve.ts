import { dirname, resolve } from 'node:path'
import { E, type Either } from '@account-import/core/fp'
import {
  type CliContext,
  type CommandError,
  type Environment,
  exitCode,
  leafCommand,
  limitHeapGrowth,
  refused,
  shellWord,
  variableText,
} from '@account-import/cli/kit'
import { isProduction, type ServerConfig } from '../../config/read-config.js'
import type { Demo } from '../../demo/ensure-demo.js'
import { createLog, logCrashes } from '../../log/create-log.js'
import { configured } from '../operate.js'

const codes = { SIGINT: exitCode.interrupted, SIGTERM: exitCode.terminated } as const

const parentCheckMilliseconds = 500

/** The parent of this process; another process adopts it once the parent has ended. */
const parent = process.ppid

/**
 * npm and npx run a server in a shell, and pass no signal on: after their end the server would run on unnoticed. Calls `gone`
 * when the parent of this process has ended. A Ctrl-C reaches both processes, and this one handles it as a signal.
 */
const watchNpm = (environment: Environment, gone: () => void): (() => void) => {
  if (environment['npm_command'] === undefined) return () => undefined
  const timer = setInterval(() => {
    if (process.ppid !== parent) gone()
  }, parentCheckMilliseconds)
  return () => clearInterval(timer)
}

/**
 * Resolves at the first SIGINT or SIGTERM, or at the end of the npm that started this process; a second signal ends
 * the process at once.
 */
const untilSignalled = (environment: Environment): Promise<void> =>
  new Promise((resolve) => {
    const first = (): void => {
      forget()
      for (const name of ['SIGINT', 'SIGTERM'] as const) {
        process.off(name, first)
        process.on(name, () => process.exit(codes[name]))
      }
      resolve()
    }
    const forget = watchNpm(environment, first)
    process.on('SIGINT', first)
    process.on('SIGTERM', first)
  })

/** The growth of the heap, in percent of live data, after which V8 collects garbage in all of it. */
const growthPercent = 90

const demoRefused = refused(
  'demo_refused',
  'The demo runs on the embedded default only: leave DATABASE_URL out, or leave --demo out and make' +
    ' organisation, supplier, team and API key with the commands of their names.',
)

const demoInProduction = refused(
  'demo_refused',
  'The demo makes a key for everything, so there is none in production: leave --demo out and make organisation, supplier,' +
    ' team and API key with the commands of their names; to try it out, leave NODE_ENV=production out.',
)

const quiet = 'Only warnings are logged here; LOG_LEVEL=info logs each request.'

/** The configuration of a demo: with the sandbox vendor, unless PAYMENT_VENDORS is set. */
const demoConfig = ({ io: { environment } }: CliContext): Either<CommandError, ServerConfig> => {
  if (isProduction(environment)) return E.left(demoInProduction)
  const vendors = variableText(environment, 'PAYMENT_VENDORS') ?? 'SANDBOX'
  const config = configured({ ...environment, PAYMENT_VENDORS: vendors }, 'serve')
  return E.isRight(config) && config.right.database.kind === 'server' ? E.left(demoRefused) : config
}

/** The JSON form of the demo for `--json`; `null` where none was made. Only the run that created the key has it. */
const demoJson = (demo: Demo | undefined) =>
  demo === undefined
    ? null
    : {
        organisation: demo.organisation,
        import_supplier: demo.importSupplier,
        operations_team: demo.operationsTeam,
        api_key: demo.apiKey ?? null,
        api_key_file: demo.keyFile,
      }

const notMade = 'The database contains other organisations, so no demo data was made.'

const servingText = (address: string): string =>
  `Serving ${address} (stop with Ctrl-C). Its page in a browser has state, next steps and documentation.`

/** The command for a second terminal, which has neither PORT nor DATA_DIR of this process. */
const runDemo = (address: string, { keyFile }: Demo): string => {
  const folder = dirname(keyFile)
  const options = [
    ...(address === 'http://127.0.0.1:8080' ? [] : ['--url', address]),
    ...(folder === resolve('data') ? [] : ['--data', folder]),
  ]
  return [
    'npm run demo',
    ...(options.length === 0 ? [] : ['--', ...options.map((option) => shellWord(option))]),
  ].join(' ')
}

/** The text of the demo: its address, the path of the key, and the next steps. A screen must not show the key itself. */
const demoText = (address: string, demo: Demo | undefined): string =>
  demo === undefined
    ? `${servingText(address)}\n${notMade}`
    : `${servingText(address)}

API key of the demo: in ${demo.keyFile} (supplier ${demo.importSupplier}, team '${demo.operationsTeam}')
Next, in a second terminal: ${runDemo(address, demo)} (imports a thousand made-up accounts)
A CSV file of your own: ${address}/docs/tutorials/from-a-csv-export/`

/**
 * Prints the address of the service, and the next steps with the demo; `made` is absent where no demo data was made. Without a
 * terminal stderr has log entries only, one of them with the address: a line of another form would break its readers.
 */
const announce = (
  { io, json, finish }: CliContext,
  isDemo: boolean,
  address: string,
  made: Demo | undefined,
  notices: readonly string[],
): void => {
  if (isDemo)
    finish(E.right({ notices, json: { address, demo: demoJson(made) }, message: demoText(address, made) }))
  else if (json() || io.terminal !== undefined)
    finish(E.right({ json: { address }, message: servingText(address) }))
}

/** `serve [--migrate] [--demo]`: runs until SIGTERM or SIGINT. */
export const make = (context: CliContext) =>
  leafCommand('serve')
    .example('serve', 'PORT=9000 DATA_DIR=/srv/imports account-import serve', 'serve --migrate')
    .option('--migrate', 'run pending migrations of a database server first')
    .option('--demo', 'make demo data on the first run and print the path of its API key and the next steps')
    .action(
      async ({ migrate = false, demo: isDemo = false }: Readonly<{ migrate?: boolean; demo?: boolean }>) => {
        const { io } = context
        const config = isDemo ? demoConfig(context) : configured(io.environment, 'serve')
        if (E.isLeft(config)) return context.finish(config)
        // On a terminal the log of requests would scroll the text of the demo away.
        const isQuiet =
          isDemo && io.terminal !== undefined && variableText(io.environment, 'LOG_LEVEL') === undefined
        const chosen: ServerConfig = isQuiet ? { ...config.right, logLevel: 'warn' } : config.right
        const log = createLog(chosen.logLevel)
        logCrashes(log)
        limitHeapGrowth(growthPercent)
        // Modules that only the server needs take long to load, and other commands do without them.
        const { startServer } = await import('../../serve-api.js')
        const server = await startServer(chosen, { migrate, log, demo: isDemo })
        const signal = untilSignalled(io.environment)
        try {
          const address = `${server.address}${chosen.basePath}`
          announce(context, isDemo, address, server.demo, isQuiet ? [quiet] : [])
          await signal
        } finally {
          await server.stop()
        }
      },
    )
