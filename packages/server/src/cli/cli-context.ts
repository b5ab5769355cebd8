import type { CliIo } from './cli-io.js'
import type { CommandResult } from './command-result.js'

/** What the commands are built with. */
export type CliContext = Readonly<{
  io: CliIo
  /** Prints the outcome and keeps its exit code. */
  finish(result: CommandResult, options: JsonOption): void
}>

export type JsonOption = Readonly<{ json?: true }>
