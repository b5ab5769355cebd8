import type { Readable } from 'node:stream'
import type { Environment } from '../config/variable.js'
import type { CommandResult, ExitCode } from './command-result.js'

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
  /** Prints the outcome and keeps its exit code. */
  finish(result: CommandResult, options: JsonOption): void
  /** Keeps the exit code of a command that has printed its outcome by itself. */
  end(code: ExitCode): void
}>

export type JsonOption = Readonly<{ json?: true }>
