import {
  AccessRefused,
  counted,
  FileFailure,
  ImportStopped,
  type ServiceSetup,
  Tally,
  withoutReturns,
} from '@account-import/account-files'
import { E } from '@account-import/core/fp'
import type { Command } from 'commander'
import type { Converted, Surroundings } from '../account-files/pass.js'
import { shellWord, typed } from '../program-name.js'
import {
  type CliIo,
  type CommandError,
  type CommandOutput,
  type CommandResult,
  errorJson,
  exitCode,
  refused,
} from './command.js'
import { connect, type Connected, serviceError, type WorkOptions } from './connection.js'
import { type ImportProgress, liveView } from './progress.js'

export const noTeam =
  'Name the operations team that the accounts are created under: --team NAME, or the variable ACCOUNT_IMPORT_TEAM.'

/** Runs work on converted accounts or, where `use` gets none, on the accounts of the file. */
type Around = <A>(stop: AbortSignal, use: (converted?: Converted) => Promise<A>) => Promise<A>

export const asItIs: Around = (_, use) => use()

/** Prints to the standard output, at the speed of its reader. */
export const printer =
  ({ out, drained }: Pick<CliIo, 'out' | 'drained'>) =>
  async (text: string): Promise<void> => {
    out(withoutReturns(text))
    await drained?.()
  }

const codes = { SIGINT: exitCode.interrupted, SIGTERM: exitCode.terminated } as const
type StopCode = (typeof codes)[keyof typeof codes]

/** The name of the option with the API key, which must not get into logs. */
const secret = 'apiKey'

/** The command line to run a command again, without the API key. */
export const commandLine = (command: Command, args: readonly string[]): string => {
  const options = command.options.flatMap((option) => {
    const name = option.attributeName()
    const value: unknown = command.getOptionValue(name)
    if (name === secret || command.getOptionValueSource(name) !== 'cli') return []
    if (value === true) return [option.long ?? '']
    // An option that is repeated has a list; NAME=VALUE is a pair of it.
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    const texts = values.map((each) => (Array.isArray(each) ? each.join('=') : String(each)))
    return texts.flatMap((text) => [option.long ?? '', shellWord(text)])
  })
  return typed([command.name(), ...args.map((arg) => shellWord(arg)), ...options].join(' '))
}

const refusedKinds: ReadonlySet<FileFailure['kind']> = new Set([
  'input_read_once',
  'not_one_account_a_line',
  'mapping_refused',
])

/** The error of a run over a file that ended early, by a failure or by a signal. */
const fileError = (failure: FileFailure, stopCode: () => StopCode): CommandError => {
  const { kind, message: detail } = failure
  if (failure instanceof AccessRefused) return refused(failure.code, detail)
  if (kind === 'interrupted') return { exitCode: stopCode(), code: kind, detail }
  if (kind === 'rows_unused') return { exitCode: exitCode.dataHasFailures, code: kind, detail }
  const code = refusedKinds.has(kind) ? exitCode.refused : exitCode.environment
  return { exitCode: code, code: kind, detail }
}

/**
 * Runs work that can be stopped: the first SIGINT or SIGTERM aborts it, so that it can clean up; a second one aborts `cut`; one
 * more, or the second without `cut`, ends the process at once. `stopCode` is the exit code after a signal. Returns a `FileFailure`
 * as an error.
 */
export const stoppable = async (
  work: (stop: AbortSignal, stopCode: () => StopCode) => Promise<CommandResult>,
  cut?: AbortController,
): Promise<CommandResult> => {
  const controller = new AbortController()
  let code: StopCode = exitCode.interrupted
  const onSignal = (signal: NodeJS.Signals): void => {
    const isSecond = controller.signal.aborted
    if (isSecond || cut === undefined) forget()
    code = signal === 'SIGTERM' ? codes.SIGTERM : codes.SIGINT
    if (isSecond) cut?.abort()
    controller.abort()
  }
  const forget = (): void => {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  try {
    return await work(controller.signal, () => code)
  } catch (cause) {
    if (cause instanceof FileFailure) return E.left(fileError(cause, () => code))
    throw cause
  } finally {
    forget()
  }
}

/** The error of a run that a failure, a signal or the service ended. */
const stoppedError = (
  failure: FileFailure,
  named: Connected['names'],
  stopCode: () => StopCode,
): CommandError => {
  if (failure instanceof ImportStopped) return serviceError(failure.failure, named)
  return fileError(failure, stopCode)
}

/** The counts of a stopped run, its error, and the command that resumes it. */
const stoppedOutput = (
  error: CommandError,
  tally: Tally,
  progress: ImportProgress,
  command: string | undefined,
): CommandOutput => {
  const { exitCode: code, detail, errors = [] } = error
  const done = `${tally.isLeast ? 'At least ' : ''}${counted(tally.accounts, 'account')} until then: ${progress.counts()}.`
  const isBegun = tally.accounts > 0 || tally.isLeast
  return {
    json: {
      error: errorJson(error),
      accounts: tally.accounts,
      at_least: tally.isLeast,
      ...tally.states,
      bytes_read: progress.bytesRead() ?? null,
      go_on: command ?? null,
    },
    message: isBegun ? `${done}\n${detail}` : detail,
    notices: [
      ...errors.map((each) => `  ${each.attr}: ${each.detail}`),
      ...(command === undefined
        ? []
        : [`${isBegun ? 'To resume' : 'To try again'}, with the same API key: ${command}`]),
    ],
    exitCode: code,
  }
}

const stopping = '\nStopping: running requests are finished and counted. Ctrl-C again stops at once.\n'

/** Runs work that a signal or the service can stop; `command` resumes it. */
export const runWith = async (
  io: CliIo,
  options: WorkOptions,
  command: string,
  work: (
    setup: ServiceSetup,
    surroundings: Pick<Surroundings, 'progress' | 'print'> & Readonly<{ url: string }>,
  ) => Promise<CommandOutput>,
  supplier?: string,
): Promise<CommandResult> => {
  const connected = await connect(io, options)
  if (E.isLeft(connected)) return connected
  const { client, names } = connected.right
  const tally = new Tally()
  const cut = new AbortController()
  return stoppable(async (stop, stopCode) => {
    const progress = liveView(io, tally)
    stop.addEventListener('abort', () => io.err(stopping))
    try {
      const setup = { client, tally, stop, cut: cut.signal, retrySeconds: options.retryFor }
      return E.right(await work(setup, { progress, print: printer(io), url: names.url }))
    } catch (cause) {
      if (!(cause instanceof FileFailure)) throw cause
      const error = stoppedError(cause, { ...names, ...(supplier !== undefined && { supplier }) }, stopCode)
      // The next run would fail by the same refusal, unreadable input or unused rows.
      const isFinal =
        error.exitCode === exitCode.refused || ['input_unreadable', 'rows_unused'].includes(cause.kind)
      return E.right(stoppedOutput(error, tally, progress, isFinal ? undefined : command))
    } finally {
      progress.end()
    }
  }, cut)
}
