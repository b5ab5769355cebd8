import { printable } from '@account-import/account-files'
import { type Command, CommanderError } from 'commander'
import { userInfo } from 'node:os'
import {
  type CliContext,
  type CliIo,
  type CommandError,
  type CommandResult,
  errorJson,
  exitCode,
  type ExitCode,
} from './command.js'
import { assertNoClash } from './files.js'
import { completeOptions } from './option-variables.js'
import { makeProgram, type Program } from './program.js'

const printFailure = (io: CliIo, failure: CommandError, json: boolean): void => {
  const { detail, errors = [] } = failure
  const lines = errors.map(
    (error) => `  ${[error.attr, error.detail].filter((part) => part !== '').join(': ')}`,
  )
  io.err(`${[detail, ...lines].join('\n')}\n`)
  if (json) io.out(`${JSON.stringify({ error: errorJson(failure) })}\n`)
}

/** Prints the result of a command, with `--json` as exactly one JSON document, and returns the exit code. */
const printResult = (io: CliIo, result: CommandResult, json: boolean): ExitCode => {
  if (result._tag === 'Left') {
    printFailure(io, result.left, json)
    return result.left.exitCode
  }
  const { json: value, document, result: text, message, notices = [], exitCode: code } = result.right
  if (document !== undefined) io.out(`${document}\n`)
  else if (json) io.out(`${JSON.stringify(value)}\n`)
  else {
    if (text !== undefined) io.out(`${text}\n`)
    if (message !== undefined) io.err(`${message}\n`)
  }
  for (const notice of notices) io.err(`${notice}\n`)
  return code ?? exitCode.done
}

/** The user name of the process. In a container the user may have a number and no name. */
const operatorName = (): string => {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** A Left. `E.left` would load the core for a command line without a command. */
const failed = (error: CommandError): CommandResult => ({ _tag: 'Left', left: error })

/** The exit code of an error that Commander throws after it has printed its message. */
const afterCommander = (io: CliIo, error: CommanderError, json: boolean): ExitCode => {
  if (error.exitCode === 0) return exitCode.done
  // Commander has printed the text of the message, and not the JSON document.
  const detail = error.message.replace(/^error: /, '')
  if (json) io.out(`${JSON.stringify({ error: { code: 'usage', detail, errors: [] } })}\n`)
  return exitCode.refused
}

const unexpected = (cause: unknown): CommandError => ({
  exitCode: exitCode.environment,
  code: 'unexpected',
  detail: `Something unexpected went wrong (${cause instanceof Error ? cause.name : typeof cause}).`,
})

/** Prints the stack frames of an unexpected error at log level debug or trace, never its message, which may contain data. */
const printFrames = (io: CliIo, cause: unknown): void => {
  const isRequested = ['debug', 'trace'].includes(io.environment['LOG_LEVEL'] ?? '')
  const frames =
    cause instanceof Error ? (cause.stack ?? '').split('\n').filter((line) => /^ +at /.test(line)) : []
  if (isRequested && frames.length > 0) io.err(`${frames.join('\n')}\n`)
}

const overrideExits = (command: Command, io: CliIo): void => {
  command.exitOverride().configureOutput({ writeOut: io.out, writeErr: io.err })
  for (const child of command.commands) overrideExits(child, io)
}

/** The output of all commands, without control characters of a terminal. Code that draws on a terminal escapes them itself. */
const safe = (io: CliIo): CliIo => ({
  ...io,
  out: (text) => io.out(printable(text)),
  err: (text) => io.err(printable(text)),
})

/**
 * Runs one command line of a program (without the names of the runtime and the script) and answers its exit code; never ends the process.
 * docs/reference/command-line.md lists the codes.
 */
export const runCli = async (of: Program, args: readonly string[], given: CliIo): Promise<ExitCode> => {
  const io = safe(given)
  const json = args.includes('--json')
  let code: ExitCode = exitCode.done
  // Parsing shows whether `--json` is an option of the command or the value of another one.
  let isJson = false
  const finish: CliContext['finish'] = (result, asText) => {
    code = printResult(io, result, isJson && asText === undefined)
  }
  const end: CliContext['end'] = (kept) => {
    code = kept
  }
  try {
    const operator = (): string => program.opts<{ operator?: string }>().operator ?? operatorName()
    const program: Command = await makeProgram(of, { io, json: () => isJson, finish, end, operator }, args)
    overrideExits(program, io)
    program.hook('preAction', async (_, command) => {
      isJson = command.opts<{ json?: true }>().json === true
      completeOptions(io.environment, command)
      await assertNoClash(command)
    })
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (cause) {
    if (cause instanceof CommanderError) return afterCommander(io, cause, json)
    const own = of.failureOf?.(cause)
    if (own !== undefined) return printResult(io, failed(own), json)
    printFrames(io, cause)
    return printResult(io, failed(unexpected(cause)), json)
  }
}
