import type { Either } from '@account-import/core/adapter-kit'
import type { CommandError } from './command-error.js'
import type { ExitCode } from './exit-code.js'

/** What a command has to say: `json` for programs, `text` for people (without a line end). */
export type CommandOutput = Readonly<{
  json: unknown
  text: string
  /** For people, on stderr. */
  notices?: readonly string[]
  /** Other than `done` where the command did its work, and its outcome is not good. */
  exitCode?: ExitCode
}>

export type CommandResult = Either<CommandError, CommandOutput>
