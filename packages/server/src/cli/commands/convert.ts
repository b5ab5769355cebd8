import { readFile, realpath } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { E } from '@account-import/core/adapter-kit'
import { type Command, InvalidArgumentError } from 'commander'
import { withConverted } from '../../convert/mapping.js'
import { writeExample } from '../../convert/example.js'
import { shellWord, typed } from '../../program-name.js'
import { collected, wholeNumber } from '../arguments.js'
import { type CliContext, type CommandResult, leafCommand, refused } from '../command.js'
import { withWork } from '../connection.js'
import { InputFileArgument, OutputFile, outputsOf, sameFile } from '../files.js'
import { type asItIs, stoppable } from '../file-run.js'
import { type ImportOptions, run as runImport } from './import.js'
import { run as runValidation, type ValidateOptions, withValidation } from './validate.js'

type Options = ImportOptions &
  ValidateOptions &
  Readonly<{
    init?: string
    set?: readonly (readonly [name: string, value: string])[]
    folder?: readonly string[]
    slices: number
    import?: true
  }>

const about = `Convert exported files (CSV, JSON, Parquet) to accounts by one SQL query of DuckDB, and check them as validate does.

A row of the query is an account; columns and structs have the names of its fields, and a column that begins with _ names the
row of its source. The SQL reads files of the mapping's folder and of those named by --folder, and nothing else.`

/** The form of a name of an SQL variable. */
const variableName = /^[a-z_]\w*$/i

const variableArgument = (text: string): readonly [name: string, value: string] => {
  const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  if (!variableName.test(name)) throw new InvalidArgumentError('Write it as NAME=VALUE.')
  return [name, value]
}

const example = async (folder: string): Promise<CommandResult> => {
  const written = await writeExample(folder)
  const converts = typed(`convert ${shellWord(join(folder, 'mapping.sql'))} --set supplier=LEVANTE`)
  const commands = [
    `${converts} --errors ${shellWord(join(folder, 'errors.csv'))}`,
    `${converts} --import --url URL --api-key-file FILE --team TEAM`,
  ]
  const message = `Written to ${folder}: ${written.join(', ')}. Next:\n\n${commands.map((each) => `  ${each}`).join('\n')}`
  return E.right({ json: { folder, written, commands }, message })
}

/** A form of file names: `*` is any text and `?` any character. */
const formOf = (name: string): RegExp => {
  const parts = name.split(/([*?])/).map((part) => {
    if (part === '*') return '.*'
    return part === '?' ? '.' : part.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
  })
  return new RegExp(`^${parts.join('')}$`, 'i')
}

/**
 * Whether the SQL may read an output: the file exists in a folder that the SQL may read, and a text of the SQL is its name, with
 * `*` and `?` for names.
 */
const mayRead = async (
  mapping: string,
  folders: readonly string[],
  outputs: readonly string[],
): Promise<boolean> => {
  const none = (): undefined => undefined
  const sql = (await readFile(mapping, 'utf8').catch(none)) ?? ''
  const forms = [...sql.matchAll(/'((?:[^']|'')*)'/g)].map(([, text = '']) =>
    formOf(basename(text.replaceAll("''", "'"))),
  )
  const inside = await Promise.all(folders.map((folder) => realpath(folder).catch(none)))
  const existing = await Promise.all(outputs.map((output) => realpath(output).catch(none)))
  return existing.some(
    (output) =>
      output !== undefined &&
      inside.some((folder) => folder !== undefined && output.startsWith(`${folder}${sep}`)) &&
      forms.some((form) => form.test(basename(output))),
  )
}

const run = async (
  context: CliContext,
  command: Command,
  mapping: string | undefined,
  options: Options,
): Promise<void> => {
  const { init } = options
  if (init !== undefined) return context.finish(await stoppable(() => example(init)))
  if (mapping === undefined)
    return context.finish(
      E.left(refused('usage', 'Name the file with the SQL, or a folder for an example: --init FOLDER.')),
    )
  const { set = [], folder = [], slices } = options
  const folders = [dirname(mapping), ...folder]
  if (await mayRead(mapping, folders, outputsOf(command))) return command.error(sameFile)
  const job = { mapping, folders, variables: new Map(set), slices }
  const around: typeof asItIs = (stop, use) => withConverted(job, stop, use)
  if (options.import === true) {
    // `withWork` does not require the address here, so it may be undefined in spite of its type.
    if ((options.url as string | undefined) === undefined)
      return context.finish(E.left(refused('usage', 'Name the service: --url URL.')))
    return runImport(context, command, mapping, options, around)
  }
  context.finish(await runValidation(context, mapping, options, around))
}

/** `convert MAPPING.sql [--out accounts.ndjson] [--import --url U --team T] …` */
export const make = (context: CliContext): Command => {
  const command = leafCommand('convert', about)
    .addArgument(new InputFileArgument('[mapping]', 'file with the SQL'))
    .option(
      '--init <folder>',
      'write an example to start from: a mapping with all fields, and three small exports',
    )
    .addOption(new OutputFile('--out <file>', 'write the accounts: one JSON object a line'))
    .option(
      '--set <name=value>',
      "a value that the SQL reads as getvariable('name'), repeatable",
      collected(variableArgument),
    )
    .option('--folder <folder>', 'another folder that the SQL may read, repeatable', collected(String))
    .option(
      '--slices <number>',
      'run the query in <number> parts, for large exports; it filters by in_slice(key)',
      wholeNumber(1, 10_000),
      1,
    )
    .option('--import', 'send the accounts to the service, as import does')
    .option('--team <name>', 'with --import: the operations team that accounts are created under')
    .option('--dry-run', 'with --import: stage and create nothing')
    .option('--limit <number>', 'with --import: only the first <number> accounts', wholeNumber(1))
    .option('--concurrency <number>', 'with --import: the most requests in flight', wholeNumber(1, 64), 4)
    .addOption(
      new OutputFile(
        '--mapping <file>',
        'with --import: write external and platform number of each account: CSV',
      ),
    )
  return withWork(withValidation(command), false).action((mapping: string | undefined, options: Options) =>
    run(context, command, mapping, options),
  )
}
