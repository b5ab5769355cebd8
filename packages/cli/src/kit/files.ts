import { Argument, type Command, Option } from 'commander'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'

/** An option that names a file which the command reads. */
export class InputFile extends Option {}

/** An option that names a file which the command writes. */
export class OutputFile extends Option {}

/** An argument that names a file, or several, which the command reads. */
export class InputFileArgument extends Argument {}

/** The argument that names a file of accounts. */
export const accountsFile = (): InputFileArgument =>
  new InputFileArgument('<file>', 'accounts, one JSON object a line or one array; - for the standard input')

/** The option for the table of everything that was found. */
export const errorsOption = (found: 'errors' | 'errors and warnings'): OutputFile =>
  new OutputFile('--errors <file>', `write all ${found} as a table: CSV; - for the standard output`)

/** Adds the options for the outputs that checks and imports have in common. */
export const withOutputs = (command: Command, found: 'errors' | 'errors and warnings'): Command =>
  command
    .addOption(new OutputFile('--report <file>', 'write a report for people: one HTML page'))
    .addOption(
      new OutputFile(
        '--failures <file>',
        'write the failed lines unchanged; for a .csv name a table with a row for each',
      ),
    )
    .addOption(errorsOption(found))

/** Device and inode of the file at a path; the path where there is no file, as that clashes with equal paths alone. */
const identity = async (path: string): Promise<string> => {
  try {
    // Numbers of files on Windows are larger than a number is exact.
    const { dev, ino } = await stat(path, { bigint: true })
    return `${dev} ${ino}`
  } catch {
    return resolve(path)
  }
}

const isFile = (value: unknown): value is string => typeof value === 'string' && value !== '-'

/** Whether an output is one of the inputs or another output, however the paths are written. */
export const hasClash = async (inputs: readonly string[], outputs: readonly string[]): Promise<boolean> => {
  const read = new Set(await Promise.all(inputs.map(identity)))
  const written = await Promise.all(outputs.map(identity))
  return new Set(written).size < written.length || written.some((file) => read.has(file))
}

/** The files that the options of a type name. */
const named = (command: Command, type: typeof InputFile): readonly string[] =>
  command.options.flatMap((option) => {
    const value: unknown = command.getOptionValue(option.attributeName())
    return option instanceof type && typeof value === 'string' ? [value] : []
  })

export const outputsOf = (command: Command): readonly string[] => named(command, OutputFile).filter(isFile)

export const sameFile = 'error: input and outputs have to be different files; nothing was done.'

/**
 * Ends a command with an error if it would write a file that it reads, or one file twice, or an output into the JSON document on
 * the standard output.
 */
export const assertNoClash = async (command: Command): Promise<void> => {
  const written = named(command, OutputFile)
  if (command.opts<{ json?: true }>().json === true && written.includes('-'))
    command.error(
      'error: with --json the standard output is for one JSON document: give the output a file of its own.',
    )
  const inArguments = command.registeredArguments.flatMap((argument, at) =>
    argument instanceof InputFileArgument ? [command.processedArgs[at] as unknown].flat() : [],
  )
  const read = [...named(command, InputFile), ...inArguments].filter(isFile)
  if (await hasClash(read, written)) command.error(sameFile)
}
