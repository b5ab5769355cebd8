import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { E } from '@account-import/core/adapter-kit'
import type { Command } from 'commander'
import { FileFailure } from '../account-files/file-failure.js'
import type { OutputPaths } from '../account-files/output/outputs.js'
import type { Converted, Surroundings } from '../account-files/pass.js'
import { counted } from '../account-files/report/numbers.js'
import { ImportStopped, statesText, Tally } from '../import/import-job.js'
import type { ServiceSetup } from '../import/service.js'
import { withoutReturns } from '../printable.js'
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
import { connect, type Named, serviceError, type WorkOptions } from './connection.js'
import { liveView } from './progress.js'

/** Which file a path stands for, however it is written; undefined for none yet. */
const identity = async (path: string): Promise<string | undefined> => {
  try {
    const { dev, ino } = await stat(path)
    return `${dev} ${ino}`
  } catch {
    // A file that does not exist clashes with nothing; whether it can be made is seen when it is opened.
    return undefined
  }
}

/** Two names for one file would destroy the input, or one output by another. */
export const outputClash = async (
  inputs: readonly string[],
  outputs: OutputPaths,
  json: boolean,
): Promise<CommandError | undefined> => {
  if (json && Object.values(outputs).includes('-'))
    return refused(
      'usage',
      'With --json the standard output is for one JSON document: give the output a file of its own.',
    )
  const paths = [...inputs, ...Object.values(outputs)]
  const files = await Promise.all(paths.map(async (path) => (await identity(path)) ?? resolve(path)))
  return new Set(files).size === files.length
    ? undefined
    : refused('usage', 'Input and outputs have to be different files; nothing was checked.')
}

/** Runs work on accounts that are made on the way, or, by default, on those of the file. */
export type Around = <A>(stop: AbortSignal, use: (converted?: Converted) => Promise<A>) => Promise<A>

export const asItIs: Around = (_, use) => use()

/** Prints to the standard output, as fast as it is read. */
export const printer =
  ({ out, drained }: Pick<CliIo, 'out' | 'drained'>) =>
  async (text: string): Promise<void> => {
    out(withoutReturns(text))
    await drained?.()
  }

const codes = { SIGINT: exitCode.interrupted, SIGTERM: exitCode.terminated } as const
type StopCode = (typeof codes)[keyof typeof codes]

/** The key must not get into logs. */
const secret = 'apiKey'

/** The typed command, to be typed again; without the API key. */
export const commandLine = (command: Command, args: readonly string[]): string => {
  const options = command.options.flatMap((option) => {
    const name = option.attributeName()
    const value: unknown = command.getOptionValue(name)
    if (name === secret || command.getOptionValueSource(name) !== 'cli') return []
    return value === true ? [option.long ?? ''] : [option.long ?? '', shellWord(String(value))]
  })
  return typed([command.name(), ...args.map(shellWord), ...options].join(' '))
}

const refusedKinds: ReadonlySet<FileFailure['kind']> = new Set([
  'input_read_once',
  'not_one_account_a_line',
  'mapping_refused',
])

/** Why a run over a file ended before its end, by itself or by a signal. */
const fileError = ({ kind, message: detail }: FileFailure, stopCode: () => StopCode): CommandError => {
  if (kind === 'interrupted') return { exitCode: stopCode(), code: kind, detail }
  const code = refusedKinds.has(kind) ? exitCode.refused : exitCode.environment
  return { exitCode: code, code: kind, detail }
}

/**
 * Runs work that can be stopped: the first SIGINT or SIGTERM aborts it, so that it can clean up; a second one ends
 * the process as if nobody listened. `stopCode` is the exit code after a signal. A failure of a
 * file is its result.
 */
export const stoppable = async (
  work: (stop: AbortSignal, stopCode: () => StopCode) => Promise<CommandResult>,
): Promise<CommandResult> => {
  const controller = new AbortController()
  let code: StopCode = exitCode.interrupted
  const onSignal = (signal: NodeJS.Signals): void => {
    forget()
    code = signal === 'SIGTERM' ? codes.SIGTERM : codes.SIGINT
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

/** The same, also where the service ended it. */
const stoppedError = (failure: FileFailure, named: Named, stopCode: () => StopCode): CommandError => {
  if (failure instanceof ImportStopped) return serviceError(failure.failure, named)
  return fileError(failure, stopCode)
}

/** The result of a run before it was stopped, and how to go on. */
const stoppedOutput = (error: CommandError, tally: Tally, command: string | undefined): CommandOutput => {
  const { exitCode: code, detail, errors = [] } = error
  const done = `${counted(tally.accounts, 'account')} until then: ${statesText(tally.states)}.`
  return {
    json: {
      error: errorJson(error),
      accounts: tally.accounts,
      ...tally.states,
      go_on: command ?? null,
    },
    message: tally.accounts === 0 ? detail : `${done}\n${detail}`,
    notices: [
      ...errors.map((each) => `  ${each.attr}: ${each.detail}`),
      ...(command === undefined ? [] : [`To go on, with the same API key: ${command}`]),
    ],
    exitCode: code,
  }
}

/** Where a run prints, and shows how far it is. */
export type RunSurroundings = Pick<Surroundings, 'progress' | 'print'>

/** Runs work that can be stopped, by a signal or by the service; `command` is what has to be typed to go on. */
export const runWith = async (
  io: CliIo,
  options: WorkOptions,
  command: string,
  work: (asked: ServiceSetup, surroundings: RunSurroundings) => Promise<CommandOutput>,
  supplier?: string,
): Promise<CommandResult> => {
  const connected = await connect(io, options)
  if (E.isLeft(connected)) return connected
  const { client, names } = connected.right
  const tally = new Tally()
  return stoppable(async (stop, stopCode) => {
    try {
      const asked = { client, tally, stop, retrySeconds: options.retryFor }
      return E.right(await work(asked, { progress: liveView(io, tally), print: printer(io) }))
    } catch (cause) {
      if (!(cause instanceof FileFailure)) throw cause
      const error = stoppedError(cause, { ...names, ...(supplier !== undefined && { supplier }) }, stopCode)
      // A refusal would come again, and unreadable input stays unreadable.
      const isOver = error.exitCode === exitCode.refused || cause.kind === 'input_unreadable'
      return E.right(stoppedOutput(error, tally, isOver ? undefined : command))
    }
  })
}
