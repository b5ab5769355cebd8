import { spawn } from 'node:child_process'
import { lineStates } from '../import/import-job.js'
import type { Runs, SupplierRun } from '../import/runs.js'
import type { ServiceSetup } from '../import/service.js'
import type { Tally } from '../import/tally.js'
import type { CliIo } from './command.js'

/** `finished`: all accounts were answered, with whatever result. */
type Ending = 'finished' | 'interrupted' | 'failed'

type Ended = Readonly<{
  ending: Ending
  runs: readonly SupplierRun[]
  tally: Pick<Tally, 'accounts' | 'states'>
}>

/** The variables that a command gets about an import that ended, besides those of the own environment but the API key. */
const environmentOf = (
  { ending, runs, tally }: Ended,
  environment: CliIo['environment'],
): NodeJS.ProcessEnv => ({
  ...environment,
  ACCOUNT_IMPORT_API_KEY: undefined,
  ACCOUNT_IMPORT_OUTCOME: ending,
  ACCOUNT_IMPORT_RUN: runs.map(({ id }) => id).join(' '),
  ACCOUNT_IMPORT_ACCOUNTS: String(tally.accounts),
  ...Object.fromEntries(
    lineStates.map((state) => [`ACCOUNT_IMPORT_${state.toUpperCase()}`, String(tally.states[state])]),
  ),
})

/**
 * Runs a command by the shell and waits until it has ended. Whatever it prints goes to stderr; so does the code or signal that it
 * ended with, unless that is 0. Never rejects: the command changes nothing of the import.
 */
const runOnDone = (command: string, ended: Ended, { environment, err: say }: CliIo): Promise<void> =>
  new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      env: environmentOf(ended, environment),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', say)
    child.once('error', ({ message }) => {
      say(`Note: the command of --on-done could not be started: ${message}\n`)
      resolve()
    })
    child.once('close', (code, signal) => {
      if (code !== 0) say(`Note: the command of --on-done ended with ${code ?? signal}.\n`)
      resolve()
    })
  })

/** The work; when it has ended, in whatever way, the command is run, if there is one. */
export const withOnDone = async <A>(
  io: CliIo,
  command: string | undefined,
  { stop, tally }: Pick<ServiceSetup, 'stop' | 'tally'>,
  work: (onRuns: (runs: Runs) => void) => Promise<A>,
): Promise<A> => {
  let opened: Runs | undefined
  const end = async (ending: Ending): Promise<void> => {
    if (command !== undefined) await runOnDone(command, { ending, runs: opened?.all ?? [], tally }, io)
  }
  const outcome = await work((runs) => (opened = runs)).catch(async (cause: unknown) => {
    await end(stop.aborted ? 'interrupted' : 'failed')
    throw cause
  })
  await end('finished')
  return outcome
}
