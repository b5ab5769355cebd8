import type { Either } from '@account-import/core/adapter-kit'
import type { CommandError } from './command-error.js'
import type { ExitCode } from './exit-code.js'

/** What a command was asked for, such as a key or a list: goes to stdout, so that it can be kept or handed on. */
type Result = Readonly<{ result: string }>

/** What people should know, such as that something was made: goes to stderr. */
type Message = Readonly<{ message: string }>

/** For people: a result, a message or both, without a line end. */
export type Told = (Result & Partial<Message>) | (Message & Partial<Result>)

/** What a command has to say: `json` for programs, in place of what people are told. */
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
