import { userInfo } from 'node:os'
import { type Command, CommanderError } from 'commander'
import { printable } from '../printable.js'
import { StartError } from '../start-error.js'
import {
  type CliContext,
  type CliIo,
  type CommandError,
  type CommandResult,
  errorJson,
  exitCode,
  type ExitCode,
  startFailure,
} from './command.js'
import { makeProgram } from './program.js'

const printFailure = (io: CliIo, failure: CommandError, json: boolean): void => {
  const { detail, errors = [] } = failure
  const lines = errors.map(
    (error) => `  ${[error.attr, error.detail].filter((part) => part !== '').join(': ')}`,
  )
  io.err(`${[detail, ...lines].join('\n')}\n`)
  if (json) io.out(`${JSON.stringify({ error: errorJson(failure) })}\n`)
}

/** Prints what a command has to say, with `--json` as exactly one JSON document, and gives the exit code. */
const printResult = (io: CliIo, result: CommandResult, json: boolean): ExitCode => {
  if (result._tag === 'Left') {
    printFailure(io, result.left, json)
    return result.left.exitCode
  }
  const { json: value, document, result: asked, message, notices = [], exitCode: code } = result.right
  if (document !== undefined) io.out(`${document}\n`)
  else if (json) io.out(`${JSON.stringify(value)}\n`)
  else {
    if (asked !== undefined) io.out(`${asked}\n`)
    if (message !== undefined) io.err(`${message}\n`)
  }
  for (const notice of notices) io.err(`${notice}\n`)
  return code ?? exitCode.done
}

/** The user who runs the command on this machine. A container may run as a user that has a number and no name. */
const operatorName = (): string => {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Written out, so that a command line without a command does not load the core. */
const failed = (error: CommandError): CommandResult => ({ _tag: 'Left', left: error })

/** Commander ends by throwing, after it has printed its message. */
const afterCommander = (io: CliIo, error: CommanderError, json: boolean): ExitCode => {
  if (error.exitCode === 0) return exitCode.done
  // Its message is what it has printed already, so only the JSON document is left to give.
  const detail = error.message.replace(/^error: /, '')
  if (json) io.out(`${JSON.stringify({ error: { code: 'usage', detail, errors: [] } })}\n`)
  return exitCode.refused
}

const unexpected = (cause: unknown): CommandError => ({
  exitCode: exitCode.environment,
  code: 'unexpected',
  detail: `Something unexpected went wrong (${cause instanceof Error ? cause.name : typeof cause}).`,
})

/** Where a bug of this program itself lies, for whoever asks for it by the log level; never its message. */
const printFrames = (io: CliIo, cause: unknown): void => {
  const wanted = ['debug', 'trace'].includes(io.environment['LOG_LEVEL'] ?? '')
  const frames =
    cause instanceof Error ? (cause.stack ?? '').split('\n').filter((line) => /^ +at /.test(line)) : []
  if (wanted && frames.length > 0) io.err(`${frames.join('\n')}\n`)
}

const overrideExits = (command: Command, io: CliIo): void => {
  command.exitOverride().configureOutput({ writeOut: io.out, writeErr: io.err })
  for (const child of command.commands) overrideExits(child, io)
}

/** The only way out of commands: nothing of it steers a terminal. Code that draws on a terminal takes care of that itself. */
const safe = (io: CliIo): CliIo => ({
  ...io,
  out: (text) => io.out(printable(text)),
  err: (text) => io.err(printable(text)),
})

/**
 * Runs one command line (without the names of the runtime and the script) and answers its exit code; never
 * ends the process itself. The codes are listed in docs/reference/command-line.md.
 */
export const runCli = async (args: readonly string[], given: CliIo): Promise<ExitCode> => {
  const io = safe(given)
  const json = args.includes('--json')
  let code: ExitCode = exitCode.done
  // Whether it is an option of the command is known once that is parsed.
  let isJson = false
  const finish: CliContext['finish'] = (result, asText) => {
    code = printResult(io, result, isJson && asText === undefined)
  }
  const end: CliContext['end'] = (kept) => {
    code = kept
  }
  try {
    const operator = (): string => program.opts<{ operator?: string }>().operator ?? operatorName()
    const program: Command = await makeProgram({ io, json: () => isJson, finish, end, operator }, args)
    overrideExits(program, io)
    program.hook('preAction', (_, command) => {
      isJson = command.opts<{ json?: true }>().json === true
    })
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (cause) {
    if (cause instanceof CommanderError) return afterCommander(io, cause, json)
    if (cause instanceof StartError) return printResult(io, failed(startFailure(cause)), json)
    printFrames(io, cause)
    return printResult(io, failed(unexpected(cause)), json)
  }
}
