import type { CliIo } from './cli-io.js'
import type { CommandResult } from './command-result.js'
import type { ExitCode } from './exit-code.js'

/** What the commands are built with. */
export type CliContext = Readonly<{
  io: CliIo
  /** Whom the record is to name as the operator. */
  operator(): string
  /** Prints the outcome and keeps its exit code. */
  finish(result: CommandResult, options: JsonOption): void
  /** Keeps the exit code of a command that has printed its outcome by itself. */
  end(code: ExitCode): void
}>

export type JsonOption = Readonly<{ json?: true }>
