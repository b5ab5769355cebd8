import type { Readable } from 'node:stream'
import type { Either } from '@account-import/core/adapter-kit'
import { Command } from 'commander'
import type { Environment } from '../config/variable.js'
import type { StartError } from '../start-error.js'

/** The exit codes of the process; docs/reference/command-line.md lists them for operators. */
export const exitCode = {
  done: 0,
  /** The data that was worked on has failures. */
  dataHasFailures: 1,
  /** Wrong usage or configuration, or the operation was refused. */
  refused: 2,
  /** Something around the program does not work: database, network, file system. */
  environment: 3,
  /** Stopped by SIGINT before the work was done, as a shell shows it. */
  interrupted: 130,
  /** The same by SIGTERM. */
  terminated: 143,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

/** The surroundings of the command line, so that it can run inside another program too. */
export type CliIo = Readonly<{
  environment: Environment
  /** The result of a command (a key, a list, a document), and nothing else. */
  out(text: string): void
  /**
   * Resolves when more results can be written, so that a command with many results holds only few of them in memory; to
   * false when nobody reads them any more. Left out, more can always be written.
   */
  drained?(): Promise<boolean>
  /** Everything that is said to people: what was done, help after wrong usage, progress, refusals. */
  err(text: string): void
  /** The stream for `-` as the name of a file; the standard input of the process when left out. */
  input?: Readable
  /** A terminal that shows how far a long command is; left out, nothing is shown. */
  terminal?: NodeJS.WriteStream
}>

/** The input that commands are built with. */
export type CliContext = Readonly<{
  io: CliIo
  /** Whom the record is to name as the operator. */
  operator(): string
  /** Whether one JSON document is asked for, in place of what people are told. */
  json(): boolean
  /** Prints the outcome and keeps its exit code; `asText` where a JSON document was begun already. */
  finish(result: CommandResult, asText?: 'asText'): void
  /** Keeps the exit code of a command that has printed its outcome by itself. */
  end(code: ExitCode): void
}>

/**
 * The output of a command: `json` for programs; in its place, for people, a result, a message or both, without a line end. A result,
 * such as a key or a list, goes to stdout, so that it can be kept or handed on; a message, such as that something was made, to stderr.
 */
export type CommandOutput = (
  | Readonly<{ result: string; message?: string }>
  | Readonly<{ message: string; result?: string }>
) &
  Readonly<{
    json: unknown
    /** Given in place of a result and of `json`, as it is: a JSON document that is written out already. */
    document?: string
    /** For people, on stderr, with `--json` too. */
    notices?: readonly string[]
    /** Other than `done` where the command did its work, and its outcome is not good. */
    exitCode?: ExitCode
  }>

export type CommandResult = Either<CommandError, CommandOutput>

/** Why a command did not do what it was asked for; `code` is stable, `detail` says what to do. */
export type CommandError = Readonly<{
  exitCode: Exclude<ExitCode, 0>
  code: string
  detail: string
  /** One entry for each thing that is wrong, where there are several. */
  errors?: readonly Readonly<{ code: string; detail: string; attr: string }>[]
}>

/** The error of a command that was refused; nothing was done. */
export const refused = (
  code: string,
  detail: string,
  errors: NonNullable<CommandError['errors']> = [],
): CommandError => ({ exitCode: exitCode.refused, code, detail, errors })

/** An error as `--json` shows it. */
export const errorJson = ({ code, detail, errors = [] }: CommandError) => ({ code, detail, errors })

/** The failure of an opening; a wrong configuration is the user's to correct, all else the environment's. */
export const startFailure = ({ code, message: detail }: StartError): CommandError => ({
  exitCode: code === 'configuration_not_valid' ? exitCode.refused : exitCode.environment,
  code,
  detail,
})

/** A command that does something, with the options that every one has. Without a description it has its line in the list. */
export const leafCommand = (name: string, description = ''): Command =>
  new Command(name)
    .description(description)
    .option('--json', 'print one JSON document to stdout, and nothing else there')
    .allowExcessArguments(false)

/** A command about one account: `NAME SUPPLIER EXTERNAL_NUMBER`. */
export const accountCommand = (name: string, description?: string): Command =>
  leafCommand(name, description)
    .argument('<supplier>', 'import supplier code')
    .argument('<external-number>', "the supplier's own account number")
