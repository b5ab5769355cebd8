import type { Either } from '@account-import/core/adapter-kit'

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

/** The result of a command, such as a key or a list: goes to stdout, so that it can be kept or handed on. */
type Result = Readonly<{ result: string }>

/** The message for people, such as that something was made: goes to stderr. */
type Message = Readonly<{ message: string }>

/** For people: a result, a message or both, without a line end. */
export type Told = (Result & Partial<Message>) | (Message & Partial<Result>)

/** The output of a command: `json` for programs, in place of the texts for people. */
export type CommandOutput = Told &
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
