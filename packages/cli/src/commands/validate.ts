import { counted, numberText, warningText } from '@account-import/account-files'
import {
  builtInSettings,
  type LocalDate,
  type RuleSettings,
  type SupplierSettings,
  systemClock,
} from '@account-import/core'
import { today } from '@account-import/core/adapter-kit'
import { E, type Either } from '@account-import/core/fp'
import { date, settingsFaults } from '@account-import/core/payloads'
import { type Command, InvalidArgumentError } from 'commander'
import { availableParallelism } from 'node:os'
import type { OutputPaths } from '../account-files/output/outputs.js'
import type { FileOutcome } from '../account-files/pass.js'
import { given, wholeNumber } from '../kit/arguments.js'
import {
  type CliContext,
  type CliIo,
  type CommandError,
  type CommandResult,
  exitCode,
  leafCommand,
  notConfigured,
  refused,
} from '../kit/command.js'
import { readText } from '../kit/connection.js'
import { asItIs, printer, stoppable } from '../kit/file-run.js'
import { accountsFile, InputFile, withOutputs } from '../kit/files.js'
import { codesJson, fileJson, findingsText, paceText, writtenText } from '../kit/output.js'
import { progressBar } from '../kit/progress.js'
import { settingsChange, settingsJson, type SettingsOptions, withRuleOptions } from '../kit/rule-options.js'
import { readOfflineConfig } from '../offline/config.js'
import { type OfflineJob, runOffline } from '../offline/run-offline.js'
import { typed } from '../program-name.js'

/** The names of the settings of validation in the output of `supplier show --json`. */
const wireNames = {
  severities: 'severities',
  closedLists: 'closed_lists',
  internalEmailDomains: 'internal_email_domains',
  markets: 'markets',
} as const satisfies Record<keyof RuleSettings, keyof ReturnType<typeof settingsJson>>

/** All settings that the file may have, also those that validation ignores. */
const allowedNames: readonly string[] = Object.keys(settingsJson(builtInSettings))

const settingsIn = (json: unknown): Readonly<Record<string, unknown>> | undefined => {
  const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject(json) && isObject(json['settings']) ? json['settings'] : undefined
}

const parsed = (path: string, text: string): Either<CommandError, SupplierSettings> => {
  let settings: Readonly<Record<string, unknown>> | undefined
  try {
    settings = settingsIn(JSON.parse(text))
  } catch {
    settings = undefined
  }
  if (settings === undefined || Object.keys(settings).some((name) => !allowedNames.includes(name)))
    return E.left(
      refused('settings_not_valid', `${path} is not an output of ${typed('supplier show CODE --json')}.`),
    )
  const found = settings
  const read = Object.entries(wireNames).flatMap(([name, wireName]) =>
    found[wireName] === undefined ? [] : [[name, found[wireName]] as const],
  )
  // `settingsFaults` checks the types of the values.
  return validSettings({ ...builtInSettings, ...Object.fromEntries(read) })
}

const validSettings = (settings: SupplierSettings): Either<CommandError, SupplierSettings> => {
  const faults = settingsFaults(settings)
  return faults.length === 0
    ? E.right(settings)
    : E.left(refused('settings_not_valid', 'The settings are not valid; nothing was checked:', faults))
}

/** The settings to validate by: built-in ones or those of a file, changed by the options; checked as when saved. */
const ruleSettings = async (
  io: CliIo,
  { settings: file, ...options }: ValidateOptions,
): Promise<Either<CommandError, SupplierSettings>> => {
  const text = file === undefined ? undefined : await readText(io, file, 'settings_unreadable')
  if (text !== undefined && E.isLeft(text)) return text
  const base = text === undefined || file === undefined ? E.right(builtInSettings) : parsed(file, text.right)
  return E.flatMap(base, (settings) => validSettings(settingsChange(options)(settings)))
}

const offlineJson = (job: OfflineJob, outcome: FileOutcome) => {
  const { codes, warnings, accounts, failed, validWithWarnings } = outcome.totals
  return fileJson(
    job,
    outcome,
    ['report', 'failures', 'errors'],
    {
      valid: accounts - failed,
      valid_with_warnings: validWithWarnings,
      failed,
      errors: codesJson(codes, 'error'),
      warnings: codesJson(codes, 'warning'),
      file_warnings: warnings.map(({ atLeast, ...warning }) => ({
        ...warning,
        detail: warningText({ atLeast, ...warning }),
        at_least: atLeast,
      })),
    },
    { workers: outcome.facts.workers },
  )
}

const totalsText = (outcome: FileOutcome, mayBeEmpty: boolean): string => {
  const { accounts, lines, failed, validWithWarnings } = outcome.totals
  if (accounts === 0)
    return `The input contains no accounts on ${counted(lines, 'line')}.${mayBeEmpty ? '' : ' To accept that: --allow-empty'}`
  return [
    `Checked ${counted(accounts, 'account')} on ${counted(lines, 'line')} in ${paceText(outcome)}.`,
    `${numberText(accounts - failed)} valid, ${numberText(validWithWarnings)} of them with warnings; ${numberText(failed)} failed.`,
  ].join('\n')
}

const notChecked = 'Not checked offline: supplier and team registers, documents, and earlier imports.'

const offlineText = (outcome: FileOutcome, mayBeEmpty: boolean): string =>
  [
    totalsText(outcome, mayBeEmpty),
    ...findingsText(outcome),
    ...writtenText(outcome.written),
    notChecked,
  ].join('\n\n')

export type ValidateOptions = SettingsOptions &
  Omit<OutputPaths, 'mapping'> &
  Readonly<{
    settings?: string
    today?: LocalDate
    workers?: number
    allowEmpty?: true
  }>

const about = `Check a file of accounts without server and database, by the rules on the accounts alone.

FILE has one JSON account a line (NDJSON), plain or compressed with gzip; - is the standard input. Only the service can
check whether supplier, team and documents exist, and whether an account was imported already.`

const jobOf = async (
  { io }: CliContext,
  file: string,
  options: ValidateOptions,
): Promise<Either<CommandError, OfflineJob>> => {
  const config = readOfflineConfig(io.environment)
  if (config._tag === 'Left') return E.left(notConfigured(config.left))
  if (file === '-' && options.settings === '-')
    return E.left(refused('usage', 'The standard input cannot be both the accounts and the settings.'))
  const settings = await ruleSettings(io, options)
  if (settings._tag === 'Left') return settings
  const { timeZone, defaultCountry } = config.right
  const day = options.today ?? today(systemClock.now(), timeZone)
  const { out, failures, errors, report, rejects } = options
  const outputs = given({ out, failures, errors, report, rejects })
  return E.right({
    file,
    outputs,
    context: { settings: settings.right, defaultCountry, today: day },
    workers: options.workers ?? availableParallelism(),
  })
}

/** Without `mayBeEmpty` an input without accounts fails: its export was most likely wrong. */
const resultOf = (job: OfflineJob, outcome: FileOutcome, mayBeEmpty: boolean): CommandResult => {
  const { failed, accounts } = outcome.totals
  const isGood = failed === 0 && (accounts > 0 || mayBeEmpty)
  return E.right({
    json: offlineJson(job, outcome),
    message: offlineText(outcome, mayBeEmpty),
    exitCode: isGood ? exitCode.done : exitCode.dataHasFailures,
  })
}

/** Checks the accounts of a file, or those that `around` converts from it. */
export const run = async (
  context: CliContext,
  file: string,
  options: ValidateOptions,
  around = asItIs,
): Promise<CommandResult> => {
  const job = await jobOf(context, file, options)
  if (E.isLeft(job)) return job
  const { io } = context
  return stoppable(async (stop) => {
    const surroundings = {
      input: io.input ?? process.stdin,
      print: printer(io),
      progress: progressBar(io.terminal),
      stop,
    }
    const outcome = await around(stop, (converted) => runOffline({ ...job.right, converted }, surroundings))
    return resultOf(job.right, outcome, options.allowEmpty === true)
  })
}

/** Reads a day of the calendar as `YYYY-MM-DD`. */
const localDate = (text: string): LocalDate => {
  if (!date.is(text)) throw new InvalidArgumentError('Use a day such as 2030-12-31.')
  return text
}

/** Adds the options for outputs, rules and workers of a check. */
export const withValidation = (command: Command): Command => {
  withOutputs(command, 'errors and warnings')
  const outputs = command.options.length
  withRuleOptions(
    command
      .option('--allow-empty', 'succeed if the input has no accounts')
      .option('--workers <number>', 'threads (default: as many as processors)', wholeNumber(1, 256))
      .option('--today <day>', 'validate as on that day, YYYY-MM-DD (default: today)', localDate)
      .addOption(
        new InputFile(
          '--settings <file>',
          'validate by the settings in an output of supplier show CODE --json; - for the standard input',
        ),
      ),
  )
  // With `convert --import` the service checks the accounts, by its own day and the settings of their supplier.
  for (const option of command.options.slice(outputs)) option.conflicts('import')
  return command
}

/** `validate FILE.ndjson [--report R.html] [--failures F.ndjson] [--errors E.csv] …` */
export const make = (context: CliContext): Command =>
  withValidation(
    leafCommand('validate', about)
      .example(
        'validate accounts.ndjson --report report.html --failures failed.ndjson',
        'validate accounts.ndjson --failures failed.csv',
        'validate accounts.ndjson.gz --errors - > errors.csv',
      )
      .addArgument(accountsFile()),
  ).action(async (file: string, options: ValidateOptions) =>
    context.finish(await run(context, file, options)),
  )
