import type { Either } from '@account-import/core/fp'
import { Command } from 'commander'
import type { Readable } from 'node:stream'
import { shellLine } from '../program-name.js'
import type { Environment } from '../environment.js'
import type { ConfigFault } from '../variable.js'

/** The exit codes of the process; docs/reference/command-line.md lists them for operators. */
export const exitCode = {
  done: 0,
  /** The processed data has failures. */
  dataHasFailures: 1,
  /** Wrong usage or configuration, or the operation was refused. */
  refused: 2,
  /** A failure outside of the program: database, network, file system. */
  environment: 3,
  /** Stopped by SIGINT before the end: 128 + 2, as in shells. */
  interrupted: 130,
  /** Stopped by SIGTERM before the end: 128 + 15. */
  terminated: 143,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

/** Streams and environment of the command line, as parameters, so that another program can run it too. */
export type CliIo = Readonly<{
  environment: Environment
  /** The result of a command (a key, a list, a document), and nothing else. */
  out(text: string): void
  /**
   * Resolves to true when more results can be written, so that a long list uses little memory; to false when the reader closed
   * the stream. Default: more can always be written.
   */
  drained?(): Promise<boolean>
  /** Messages for people: outcomes, help after wrong usage, progress, refusals. */
  err(text: string): void
  /** The stream for `-` as the name of a file. Default: the standard input of the process. */
  input?: Readable
  /** The terminal for the progress of long commands. Default: progress is not drawn. */
  terminal?: NodeJS.WriteStream
}>

/** The input that commands are built with. */
export type CliContext = Readonly<{
  io: CliIo
  /** The name of the operator in audit events. */
  operator(): string
  /** Whether the output is one JSON document in place of texts for people. */
  json(): boolean
  /** Prints the outcome and sets its exit code. `asText`: as text, because a part of a JSON document is printed already. */
  finish(result: CommandResult, asText?: 'asText'): void
  /** Sets the exit code of a command that has printed its outcome itself. */
  end(code: ExitCode): void
}>

/**
 * The output of a command: `json` for programs; in its place, for people, a result, a message or both, without a line end. A
 * result, such as a key or a list, goes to stdout, so that it can be piped or stored; a message about the outcome goes to stderr.
 */
export type CommandOutput = (
  | Readonly<{ result: string; message?: string }>
  | Readonly<{ message: string; result?: string }>
) &
  Readonly<{
    json: unknown
    /** Printed unchanged in place of the result and of `json`: a serialised JSON document. */
    document?: string
    /** For people, on stderr, with `--json` too. */
    notices?: readonly string[]
    /** Default: `done`. Another one for a command that ended and found failures. */
    exitCode?: ExitCode
  }>

export type CommandResult = Either<CommandError, CommandOutput>

/** The failure of a command. `code` is stable; `detail` is for people and contains the remedy. */
export type CommandError = Readonly<{
  exitCode: Exclude<ExitCode, 0>
  code: string
  detail: string
  /** One entry for each fault, where there are several. */
  errors?: readonly Readonly<{ code: string; detail: string; attr: string }>[]
}>

/** The error of a refused command, which changed nothing. */
export const refused = (
  code: string,
  detail: string,
  errors: NonNullable<CommandError['errors']> = [],
): CommandError => ({ exitCode: exitCode.refused, code, detail, errors })

/** The JSON form of an error for `--json`. */
export const errorJson = ({ code, detail, errors = [] }: CommandError) => ({ code, detail, errors })

/** The refusal that names all faults of a configuration. */
export const notConfigured = (faults: readonly ConfigFault[]): CommandError =>
  refused(
    'configuration_not_valid',
    'The configuration is not valid. Correct these environment variables:',
    faults.map(({ variable, detail }) => ({ code: 'invalid', detail: `${variable} ${detail}`, attr: '' })),
  )

const program = 'account-import'

/** A command with an action, and with examples for its help and for docs/reference/command-line.md. */
export class LeafCommand extends Command {
  examples: readonly string[] = []

  /** Sets the examples: lines of a POSIX shell that name the program, or the words after its name. Help has them for its platform. */
  example(...lines: readonly string[]): this {
    this.examples = lines.map((line) => (line.includes(`${program} `) ? line : `${program} ${line}`))
    return this.addHelpText(
      'after',
      ['', 'Examples:', ...this.examples.map((line) => `  ${shellLine(line)}`)].join('\n'),
    )
  }
}

/** The service and the key in examples of commands that call the API. */
export const exampleService = '--url http://127.0.0.1:8080 --api-key-file api-key'

/** A command with an action and the common options. Default description: its line in the list. */
export const leafCommand = (name: string, description = ''): LeafCommand =>
  new LeafCommand(name)
    .description(description)
    .option('--json', 'print one JSON document to stdout, and nothing else there')
    .allowExcessArguments(false)

/** A command about one account: `NAME SUPPLIER EXTERNAL_NUMBER`. */
export const accountCommand = (name: string, description?: string): LeafCommand =>
  leafCommand(name, description)
    .argument('<supplier>', 'import supplier code')
    .argument('<external-number>', "the supplier's own account number")
