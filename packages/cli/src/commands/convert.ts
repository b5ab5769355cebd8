import { FileFailure } from '@account-import/account-files'
import { E } from '@account-import/core/fp'
import { type Command, InvalidArgumentError } from 'commander'
import { join } from 'node:path'
import { areComplete, rowsText, type SourceRows, sumText } from '../account-files/report/source-rows.js'
import { writeDraft } from '../convert/draft.js'
import { writeExample } from '../convert/example.js'
import { inputFilesOf, readMapping, withConverted } from '../convert/mapping.js'
import { templateNames } from '../convert/templates.js'
import { collected, wholeNumber } from '../kit/arguments.js'
import {
  type CliContext,
  type CommandOutput,
  type CommandResult,
  exampleService,
  exitCode,
  leafCommand,
  refused,
} from '../kit/command.js'
import { withWork } from '../kit/connection.js'
import { type asItIs, stoppable } from '../kit/file-run.js'
import { hasClash, InputFileArgument, OutputFile, outputsOf, sameFile } from '../kit/files.js'
import { shellWord, typed } from '../program-name.js'
import { type ImportOptions, run as runImport } from './import.js'
import { run as runValidation, type ValidateOptions, withValidation } from './validate.js'

type Options = ImportOptions &
  ValidateOptions &
  Readonly<{
    init?: string | true
    from?: readonly string[]
    set?: readonly (readonly [name: string, value: string])[]
    folder?: readonly string[]
    slices: number
    allowUnused?: true
    import?: true
  }>

const about = `Convert exported files (CSV) to accounts by one SQL query of DuckDB, and check them as validate does.

The mapping declares its files, and convert reads them: -- source contracts = contracts.csv; delimiter ';'; key cliente. Each is a
table of texts. A row of the query is an account; columns and structs have the names of its fields, and a column that begins with _
names the row of its source. Each row of a file needs the key of an account, and a declared sum has to be that of the accounts.`

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

const draft = async (files: readonly string[], folder: string | undefined): Promise<CommandResult> => {
  const { path, folders, proposals } = await writeDraft(files, folder)
  const others = folders.map((each) => ` --folder ${shellWord(each)}`).join('')
  const command = typed(`convert ${shellWord(path)} --set supplier=LEVANTE${others}`)
  const texts = proposals.map(
    ({ file, delimiter, encoding, key, header, unmatched, matched }) =>
      `${file}: proposed delimiter ${JSON.stringify(delimiter)}, encoding ${encoding}, ${key === null ? 'no key' : `key ${key}`}${header ? '' : '; its first line looks like data, so its columns are numbered'}\n` +
      `  ${Object.keys(matched).length} columns matched; not matched: ${unmatched.join(', ') || 'none'}`,
  )
  const message = `Written: ${path}. All of it is a proposal.\n\n${texts.join('\n')}\n\nCheck it, then:\n\n  ${command}`
  return E.right({ json: { written: path, proposals, commands: [command] }, message })
}

const rowsTextOf = (files: readonly SourceRows[], isAllowed: boolean): string => {
  const texts = files.map((file) => [
    `${file.file}: ${rowsText(file)}`,
    ...file.sums.map((sum) => `  ${sumText(sum)}`),
  ])
  const hint =
    areComplete(files) || isAllowed
      ? []
      : [
          'The query has to read each file. Each row needs a key that an account has in a column that begins with _, and each sum has to be that of the accounts. To accept unused rows and other sums: --allow-unused',
        ]
  return [...texts.flat(), ...hint].join('\n')
}

const rowsJson = (files: readonly SourceRows[]) =>
  files.map(({ source, file, rows, isRead, ignored, rejected, spanning, keyFound, firstUnused, sums }) => ({
    source,
    file,
    rows,
    ignored: ignored ?? 0,
    rejected,
    over_several_lines: spanning.rows,
    read_by_query: isRead,
    key_found: isRead ? (keyFound?.rows ?? null) : null,
    different_keys: keyFound?.keys ?? null,
    first_unused: firstUnused ?? null,
    sums: sums.map(({ name, all, found, compared, withoutNumber }) => ({
      name,
      all,
      key_found: found,
      field: compared?.field ?? null,
      accounts: compared?.accounts ?? null,
      difference: compared?.difference ?? null,
      without_number: withoutNumber,
    })),
  }))

/** The output with the rows of the files. Unused and rejected rows are failures of the data. */
const withRows = (output: CommandOutput, files: readonly SourceRows[], isAllowed: boolean): CommandOutput => {
  const isBad = files.some(({ rejected }) => rejected > 0) || (!isAllowed && !areComplete(files))
  const code = output.exitCode ?? exitCode.done
  const message = [output.message, rowsTextOf(files, isAllowed)]
    .filter((text) => text !== undefined)
    .join('\n\n')
  return {
    ...output,
    json: { ...(output.json as object), sources: rowsJson(files) },
    message,
    exitCode: code === exitCode.done && isBad ? exitCode.dataHasFailures : code,
  }
}

const run = async (
  context: CliContext,
  command: Command,
  mapping: string | undefined,
  options: Options,
): Promise<void> => {
  const { init, from } = options
  const named = init === true ? undefined : init
  if (from !== undefined) {
    if (init === undefined)
      return context.finish(E.left(refused('usage', 'Write --init --from FILES, to draft a mapping.')))
    return context.finish(await stoppable(() => draft(from, named)))
  }
  if (named !== undefined) return context.finish(await stoppable(() => example(named)))
  if (mapping === undefined)
    return context.finish(
      E.left(refused('usage', 'Name the file with the SQL, or a folder for an example: --init FOLDER.')),
    )
  const { set = [], folder = [], slices, rejects } = options
  const isAllowed = options.allowUnused === true
  let files: readonly SourceRows[] | undefined
  const around: typeof asItIs = async (stop, use) => {
    const job = {
      mapping: await readMapping(mapping, context.io.input ?? process.stdin),
      folders: folder,
      variables: new Map(set),
      slices,
      collectsRejects: rejects !== undefined,
    }
    if (await hasClash(inputFilesOf(job.mapping, folder), outputsOf(command))) return command.error(sameFile)
    return withConverted(job, stop, (converted) => {
      files = converted.sourceRows
      if (options.import === true && !isAllowed && !areComplete(files))
        throw new FileFailure('rows_unused', 'Nothing was sent: some rows of the files are in no account.')
      return use(converted)
    })
  }
  const finish: CliContext['finish'] = (result) =>
    context.finish(
      files === undefined
        ? result
        : E.map((output: CommandOutput) => withRows(output, files ?? [], isAllowed))(result),
    )
  if (options.import !== true) return finish(await runValidation(context, mapping, options, around))
  return runImport({ ...context, finish }, command, mapping, options, around)
}

/** `convert MAPPING.sql [--out accounts.ndjson] [--import --url U --team T] …` */
export const make = (context: CliContext): Command => {
  const command = leafCommand('convert', about)
    .example(
      'convert --init my-export',
      'convert --init data/datadis',
      'convert --init --from customers.csv contracts.csv payments.csv',
      'convert mapping.sql --set supplier=LEVANTE --out accounts.ndjson --errors errors.csv',
      `convert mapping.sql --set supplier=LEVANTE --import ${exampleService} --team 'Migration team'`,
    )
    .addArgument(new InputFileArgument('[mapping]', 'file with the SQL; - for the standard input'))
    .option(
      '--init [folder]',
      `write an example to start from: a mapping with all fields, and three small exports; for a kind of file of the Spanish market, name the folder so: ${templateNames.join(', ')}`,
    )
    .option(
      '--from <files...>',
      'with --init: draft declaration and mapping from the first rows of your own files (CSV), as proposals',
    )
    .addOption(new OutputFile('--out <file>', 'write the accounts: one JSON object a line'))
    .option(
      '--set <name=value>',
      "a value that the SQL reads as getvariable('name'), repeatable",
      collected(variableArgument),
    )
    .option('--folder <folder>', 'another folder with files of the sources, repeatable', collected(String))
    .option(
      '--allow-unused',
      'accept rows that no account uses, and sums that differ from those of the accounts',
    )
    .addOption(
      new OutputFile(
        '--rejects <file>',
        'write rows with a fault, such as a cell too many, as a table (CSV), and go on',
      ),
    )
    .option(
      '--slices <number>',
      'run the query in <number> parts from the start; otherwise only when memory is short',
      wholeNumber(1, 10_000),
      1,
    )
    .option(
      '--import',
      'send the accounts to the service, which checks them by the settings of their supplier, as import does',
    )
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
  return withWork(withValidation(command)).action((mapping: string | undefined, options: Options) =>
    run(context, command, mapping, options),
  )
}
