import { E } from '@account-import/core/adapter-kit'
import type { Command } from 'commander'
import { type ImportJob, type Step, steps } from '../../import/import-job.js'
import { oneOf, wholeNumber } from '../arguments/arguments.js'
import type { CliContext, JsonOption } from '../cli-io.js'
import { exitCode } from '../command-result.js'
import { commandLine } from '../import/command-line.js'
import { withWork, type WorkOptions } from '../import/connection.js'
import { importResult } from '../import/run-command.js'
import { leafCommand } from '../leaf-command.js'

type Options = JsonOption &
  WorkOptions &
  Readonly<{
    team?: string
    only?: Step
    dryRun?: true
    concurrency: number
    report?: string
    failures?: string
    errors?: string
    mapping?: string
  }>

const about = `Bring a file of accounts into the service, through its API: stage each account, which validates it, then create it.

FILE has one JSON account a line (NDJSON), plain or packed by gzip, of one supplier or of several; - is the standard
input. The same command again goes on where an earlier one ended, and creates nothing twice.`

const withOutputs = (command: Command): Command =>
  withWork(command)
    .argument('<file>', 'accounts, one JSON object a line; - for the standard input')
    .option('--concurrency <number>', 'the most requests in flight', wholeNumber(1, 64), 4)
    .option('--report <file>', 'write a report for people: one HTML page')
    .option('--failures <file>', 'write the lines that failed, as they came')
    .option('--errors <file>', 'write all errors as a table: CSV; - for the standard output')
    .option('--mapping <file>', 'write external and platform number of each account that exists: CSV')

const jobOf = (file: string, options: Options): ImportJob => {
  const { url, team, only, dryRun, concurrency, report, failures, errors, mapping } = options
  const paths = { report, failures, errors, mapping }
  const outputs = Object.fromEntries(Object.entries(paths).filter(([, path]) => path !== undefined))
  return { file, url, team, only, dryRun: dryRun === true, concurrency, outputs }
}

const run = async (
  context: CliContext,
  command: Command,
  job: ImportJob,
  options: Options,
): Promise<void> => {
  const needsTeam = job.only === undefined || job.only === 'process'
  if (needsTeam && job.team === undefined) {
    const detail = 'Say under which operations team the accounts are created: --team NAME.'
    return context.finish(E.left({ exitCode: exitCode.refused, code: 'usage', detail }), options)
  }
  context.finish(await importResult(context, job, options, commandLine(command, [job.file])), options)
}

/** `import FILE.ndjson --url U --team T …` */
export const importCommand = (context: CliContext): Command => {
  const command = withOutputs(leafCommand('import', about))
    .summary('Bring a file of accounts into the service: stage them, then create them.')
    .option('--team <name>', 'the operations team that accounts are created under')
    .option('--only <step>', `one step alone: ${steps.join(', ')}`, oneOf(steps))
    .option('--dry-run', 'stage and create nothing: validate, and process on trial what is staged')
  return command.action((file: string, options: Options) =>
    run(context, command, jobOf(file, options), options),
  )
}

/** `stage FILE.ndjson --url U …`: the first half of an import. */
export const stageCommand = (context: CliContext): Command => {
  const command = withOutputs(
    leafCommand(
      'stage',
      'Stage the accounts of a file, through the API of the service; as import --only stage.',
    ),
  )
  return command.action((file: string, options: Options) =>
    run(context, command, jobOf(file, { ...options, only: 'stage' }), options),
  )
}
