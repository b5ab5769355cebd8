import {
  counted,
  numberText,
  statesText,
  type Step,
  steps,
  type Tally,
  oneCell,
} from '@account-import/account-files'
import { E } from '@account-import/core/fp'
import type { Command } from 'commander'
import { randomInt } from 'node:crypto'
import type { Readable } from 'node:stream'
import { countAccounts, type Selection } from '../account-files/input/chosen-lines.js'
import type { OutputPaths } from '../account-files/output/outputs.js'
import { type ImportJob, runImport } from '../import/run-import.js'
import { given, oneOf, wholeNumber } from '../kit/arguments.js'
import {
  type CliContext,
  type CommandOutput,
  exampleService,
  exitCode,
  leafCommand,
  refused,
} from '../kit/command.js'
import { withWork, type WorkOptions } from '../kit/connection.js'
import { asItIs, commandLine, noTeam, runWith } from '../kit/file-run.js'
import { accountsFile, OutputFile, withOutputs } from '../kit/files.js'
import { codesJson, fileJson, findingsText, paceText, writtenText } from '../kit/output.js'

export type ImportOptions = WorkOptions &
  OutputPaths &
  Readonly<{
    team?: string
    only?: Step
    label?: string
    dryRun?: true
    limit?: number
    sample?: number
    seed?: number
    concurrency: number
  }>

const about = `Import a file of accounts through the API of the service: stage each account, which validates it, then create it.

FILE has one JSON account a line (NDJSON), plain or compressed with gzip, of one supplier or of several; - is the standard
input. The same command resumes after an interruption, and creates nothing twice.`

const withImport = (command: Command): Command =>
  withOutputs(
    withWork(command)
      .addArgument(accountsFile())
      .option('--label <text>', 'name of the run in the list of runs')
      .option('--limit <number>', 'only the first <number> accounts of the input', wholeNumber(1))
      .option('--sample <number>', 'only <number> random accounts of a file', wholeNumber(1))
      .option('--seed <number>', 'with --sample: choose the same accounts again', wholeNumber(0))
      .option('--concurrency <number>', 'the most requests in flight', wholeNumber(1, 64), 4),
    'errors',
  ).addOption(
    new OutputFile('--mapping <file>', 'write external and platform number of each account that exists: CSV'),
  )

const jobOf = (file: string, options: ImportOptions): Omit<ImportJob, 'url'> => {
  const { team, only, label, dryRun, concurrency, report, out, failures, errors, mapping, rejects } = options
  const outputs = given({ report, out, failures, errors, mapping, rejects })
  return { file, team, only, label, dryRun: dryRun === true, concurrency, outputs }
}

/** The selected accounts. Choosing a sample needs the number of all accounts, so this reads the whole file first. */
const selectionOf = async (
  file: string,
  { limit, sample, seed }: ImportOptions,
  surroundings: Readonly<{ input: Readable; stop: AbortSignal }>,
): Promise<Selection | undefined> => {
  const first = given({ limit })
  if (sample === undefined || seed === undefined) return limit === undefined ? undefined : first
  const of = await countAccounts(file, limit ?? Infinity, surroundings)
  return { ...first, sample: { accounts: Math.min(sample, of), seed, of } }
}

const selectionText = ({ limit, sample }: Selection): readonly string[] => {
  if (sample === undefined) return limit === undefined ? [] : [`Only the first ${counted(limit, 'account')}.`]
  const { accounts, of, seed } = sample
  return [
    `A sample of ${numberText(accounts)} of ${numberText(of)} accounts; --seed ${seed} chooses it again.`,
  ]
}

type ImportOutcome = Awaited<ReturnType<typeof runImport>>

const headline = (outcome: ImportOutcome): string => {
  const { accounts } = outcome.totals
  const counts = accounts === 0 ? 'The file contains no accounts.' : `${statesText(outcome.states)}.`
  return `${counted(accounts, 'account')} in ${paceText(outcome)}.\n${counts}`
}

/** The ids of the import runs, for `run failures`. */
const runsText = ({ runs }: ImportOutcome): readonly string[] =>
  runs.length === 0
    ? []
    : [
        runs
          .map(
            ({ import_supplier: supplier, id, finished }) =>
              `Import run of ${supplier}: ${id}${finished ? '' : ' (not finished: the service did not respond)'}`,
          )
          .join('\n'),
      ]

const mostShown = 10

/** The first accounts that exist with other data, by line and number; `--failures` writes all. */
const differingText = ({ states: { differing: count } }: ImportOutcome, tally: Tally): readonly string[] => {
  if (count === 0) return []
  const shown = tally
    .differingLines()
    .slice(0, mostShown)
    .map(({ line, externalAccountNumber }) => `line ${line} ${oneCell(externalAccountNumber)}`)
  const more = count > mostShown ? ` and ${numberText(count - mostShown)} more (all: --failures FILE)` : ''
  return [`Created before, with other data: ${shown.join(', ')}${more}`]
}

const text = (outcome: ImportOutcome, selection: Selection, tally: Tally): string =>
  [
    [headline(outcome), ...selectionText(selection)].join('\n'),
    ...differingText(outcome, tally),
    ...findingsText(outcome),
    ...runsText(outcome),
    ...writtenText(outcome.written),
  ].join('\n\n')

/** The outcome of an import, for programs and for people. */
const importOutput = (job: ImportJob, outcome: ImportOutcome, tally: Tally): CommandOutput => {
  const { states, totals } = outcome
  const { selection = {} } = job
  return {
    json: fileJson(
      job,
      outcome,
      ['report', 'failures', 'errors', 'mapping'],
      {
        dry_run: job.dryRun,
        selection: { limit: selection.limit ?? null, sample: selection.sample ?? null },
        ...states,
        import_runs: outcome.runs,
        differing_accounts: tally
          .differingLines()
          .map(({ line, externalAccountNumber: number }) => ({ line, external_account_number: number })),
        errors: codesJson(totals.codes, 'error'),
      },
      { concurrency: job.concurrency, retries: tally.retries },
    ),
    message: text(outcome, selection, tally),
    exitCode: states.failed + states.differing > 0 ? exitCode.dataHasFailures : exitCode.done,
  }
}

/** The conflict between options; undefined where there is none. */
const usageFault = (file: string, options: ImportOptions): string | undefined => {
  const { seed, sample, only, team, apiKeyFile } = options
  if (seed !== undefined && sample === undefined)
    return 'A seed chooses a sample: give its size with --sample NUMBER.'
  if ((only === undefined || only === 'process') && team === undefined) return noTeam
  if (file === '-' && apiKeyFile === '-')
    return 'The standard input cannot be both the accounts and the API key.'
  return undefined
}

/** Imports the accounts of a file, or those that `around` converts from it. */
export const run = async (
  { io, finish }: CliContext,
  command: Command,
  file: string,
  given: ImportOptions,
  around = asItIs,
): Promise<void> => {
  const fault = usageFault(file, given)
  if (fault !== undefined) return finish(E.left(refused('usage', fault)))
  const options = { ...given, seed: given.seed ?? randomInt(1_000_000_000) }
  // The command that resumes the import needs the seed too.
  if (given.sample !== undefined) command.setOptionValueWithSource('seed', options.seed, 'cli')
  const job = jobOf(file, options)
  const input = io.input ?? process.stdin
  const result = await runWith(
    io,
    options,
    commandLine(command, [file]),
    async (setup, { url, ...surroundings }) =>
      around(setup.stop, async (converted) => {
        const selection = await selectionOf(file, options, { input, stop: setup.stop })
        const chosen = { ...job, url, selection, converted }
        const outcome = await runImport(chosen, setup, { input, ...surroundings })
        return importOutput(chosen, outcome, setup.tally)
      }),
  )
  finish(result)
}

/** `import FILE.ndjson --url U --team T …` */
export const make = (context: CliContext): Command => {
  const command = withImport(
    leafCommand('import', about).example(
      `import accounts.ndjson ${exampleService} --team 'Migration team' --mapping mapping.csv`,
    ),
  )
    .option('--team <name>', 'the operations team that accounts are created under')
    .option('--only <step>', `one step alone: ${steps.join(', ')}`, oneOf(steps))
    .option('--dry-run', 'stage and create nothing; report the result that an import would have')
  return command.action((file: string, options: ImportOptions) => run(context, command, file, options))
}

/** `stage FILE.ndjson --url U …`: the first half of an import. */
export const makeStage = (context: CliContext): Command => {
  const command = withImport(leafCommand('stage').example(`stage accounts.ndjson ${exampleService}`))
  return command.action((file: string, options: ImportOptions) =>
    run(context, command, file, { ...options, only: 'stage' }),
  )
}
