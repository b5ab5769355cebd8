import { E, type Either } from '@account-import/core/adapter-kit'
import { setFlagsFromString } from 'node:v8'
import { isProduction, type ServerConfig } from '../../config/read-config.js'
import type { Environment } from '../../config/variable.js'
import { isGiven } from '../../config/variables.js'
import { demoJson, demoText, servingText, type Demo, ensureDemo } from '../../demo/ensure-demo.js'
import { createLog, logCrashes } from '../../log/create-log.js'
import { type CliContext, type CommandError, exitCode, leafCommand, refused } from '../command.js'
import { configured } from '../operate.js'

const codes = { SIGINT: exitCode.interrupted, SIGTERM: exitCode.terminated } as const

const lookMilliseconds = 500

/** The parent of this process; another process adopts it once the parent has ended. */
const parent = process.ppid

/**
 * npm and npx run what they start in a shell, and pass no signal on: when they are ended, a server is left over that nobody
 * knows of. Calls back when the process that started this one is gone; a Ctrl-C reaches both, and counts as a signal.
 */
const watchNpm = (environment: Environment, gone: () => void): (() => void) => {
  if (environment['npm_command'] === undefined) return () => undefined
  const timer = setInterval(() => {
    if (process.ppid !== parent) gone()
  }, lookMilliseconds)
  return () => clearInterval(timer)
}

/**
 * Resolves at the first SIGINT or SIGTERM, or when npm started this process and is gone; a second signal ends
 * the process at once, whatever it is doing.
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

/** How much the heap may grow, in percent of what is alive, before it is gone through as a whole. */
const growthPercent = 90

/**
 * Keeps the memory of a server near what it needs. Where there is plenty, V8 lets the heap of a process under load grow to
 * several times that before it looks for what is no longer needed. Looking still earlier costs time.
 */
const keepHeapSmall = (): void => {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
}

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

/** The configuration of a demo: it has the sandbox, unless vendors are named. */
const demoConfig = ({ io: { environment } }: CliContext): Either<CommandError, ServerConfig> => {
  if (isProduction(environment)) return E.left(demoInProduction)
  const vendors = isGiven(environment, 'PAYMENT_VENDORS') ? {} : { PAYMENT_VENDORS: 'SANDBOX' }
  const config = configured({ ...environment, ...vendors }, 'serve')
  return E.isRight(config) && config.right.database.kind === 'server' ? E.left(demoRefused) : config
}

/**
 * Says where the service is, and what to do with the demo; `made` is absent where no demo data was made. Where nobody looks,
 * stderr is the log alone, which says where the server is: a line of another form would break it.
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
    .option('--migrate', 'run pending migrations of a database server first')
    .option('--demo', 'make demo data on the first run and say where its key lies and what to do next')
    .action(
      async ({ migrate = false, demo: isDemo = false }: Readonly<{ migrate?: boolean; demo?: boolean }>) => {
        const { io } = context
        const config = isDemo ? demoConfig(context) : configured(io.environment, 'serve')
        if (E.isLeft(config)) return context.finish(config)
        // On a terminal the requests of a demo would push away what it says.
        const isQuiet = isDemo && io.terminal !== undefined && !isGiven(io.environment, 'LOG_LEVEL')
        const chosen: ServerConfig = isQuiet ? { ...config.right, logLevel: 'warn' } : config.right
        const log = createLog(chosen.logLevel)
        logCrashes(log)
        keepHeapSmall()
        // Modules that only the server needs take long to load, and other commands do without them.
        const { startServer } = await import('../../serve-api.js')
        const server = await startServer(chosen, { migrate, log })
        const signal = untilSignalled(io.environment)
        try {
          const made = isDemo ? await ensureDemo(server.useCases.operator, chosen.dataDir) : undefined
          const address = `${server.address}${chosen.basePath}`
          announce(context, isDemo, address, made, isQuiet ? [quiet] : [])
          await signal
        } finally {
          await server.stop()
        }
      },
    )
