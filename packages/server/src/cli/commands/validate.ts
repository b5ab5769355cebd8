import { availableParallelism } from 'node:os'
import type { Command } from 'commander'
import { systemClock, type LocalDate } from '@account-import/core'
import { E, today, type Either } from '@account-import/core/adapter-kit'
import { FileFailure } from '../../account-files/file-failure.js'
import type { OfflineJob } from '../../offline/offline-job.js'
import { runOffline, type OfflineOutcome } from '../../offline/run-offline.js'
import { localDate } from '../arguments/local-date.js'
import { withRuleOptions } from '../arguments/rule-options.js'
import { wholeNumber } from '../arguments/whole-number.js'
import type { CliContext, JsonOption } from '../cli-context.js'
import type { CommandError } from '../command-error.js'
import type { CommandResult } from '../command-result.js'
import { offlineConfigured } from '../configured.js'
import { exitCode } from '../exit-code.js'
import { leafCommand } from '../leaf-command.js'
import { outputClash } from '../offline/output-clash.js'
import { printer } from '../offline/printer.js'
import { progressBar } from '../offline/progress-bar.js'
import { ruleSettings } from '../offline/rule-settings.js'
import { stoppable } from '../offline/stoppable.js'
import { offlineJson } from '../output/offline-json.js'
import { offlineText } from '../output/offline-text.js'
import type { SettingsOptions } from '../settings-change.js'

type Options = JsonOption &
  SettingsOptions &
  Readonly<{
    report?: string
    failures?: string
    errors?: string
    settings?: string
    today?: LocalDate
    workers?: number
    allowEmpty?: true
  }>

const about = `Check a file of accounts without server and database, by the rules that need nothing but the accounts.

FILE has one JSON account a line (NDJSON), plain or packed by gzip; - is the standard input. Whether supplier, team
and documents exist, and whether an account was imported already, only the service can tell.`

const failureOf = ({ kind, message }: FileFailure, stopCode: () => 130 | 143): CommandError => {
  if (kind === 'interrupted') return { exitCode: stopCode(), code: kind, detail: message }
  return {
    exitCode: kind === 'not_one_account_a_line' ? exitCode.refused : exitCode.environment,
    code: kind,
    detail: message,
  }
}

const outputsOf = ({ report, failures, errors }: Options): OfflineJob['outputs'] => ({
  ...(failures === undefined ? {} : { failures }),
  ...(errors === undefined ? {} : { errors }),
  ...(report === undefined ? {} : { report }),
})

const jobOf = async (
  { io }: CliContext,
  file: string,
  options: Options,
): Promise<Either<CommandError, OfflineJob>> => {
  const config = offlineConfigured(io)
  if (config._tag === 'Left') return config
  const settings = await ruleSettings(options.settings, options)
  if (settings._tag === 'Left') return settings
  const { timeZone, defaultCountry } = config.right
  const day = options.today ?? today(systemClock.now(), timeZone)
  const outputs = outputsOf(options)
  const inputs = [file, options.settings].filter((path) => path !== undefined && path !== '-')
  const clash = await outputClash(inputs as string[], outputs, options)
  if (clash !== undefined) return E.left(clash)
  return E.right({
    file,
    outputs,
    context: { settings: settings.right, defaultCountry, today: day },
    workers: options.workers ?? availableParallelism(),
  })
}

/** An input without accounts is mostly a mistake further up, such as an export that found nothing. */
const resultOf = (job: OfflineJob, outcome: OfflineOutcome, mayBeEmpty: boolean): CommandResult => {
  const { failed, accounts } = outcome.totals
  const isGood = failed === 0 && (accounts > 0 || mayBeEmpty)
  return E.right({
    json: offlineJson(job, outcome),
    message: offlineText(outcome, mayBeEmpty),
    exitCode: isGood ? exitCode.done : exitCode.dataHasFailures,
  })
}

const run = ({ io }: CliContext, job: OfflineJob, { allowEmpty }: Options): Promise<CommandResult> =>
  stoppable(async (stop, stopCode) => {
    try {
      const surroundings = {
        input: io.input ?? process.stdin,
        print: printer(io),
        progress: progressBar(io.terminal),
        stop,
      }
      return resultOf(job, await runOffline(job, surroundings), allowEmpty === true)
    } catch (cause) {
      if (cause instanceof FileFailure) return E.left(failureOf(cause, stopCode))
      throw cause
    }
  })

/** `validate FILE.ndjson [--report R.html] [--failures F.ndjson] [--errors E.csv] …` */
export const validateCommand = (context: CliContext): Command =>
  withRuleOptions(
    leafCommand('validate', about)
      .summary('Check a file of accounts without server and database.')
      .argument('<file>', 'accounts, one JSON object a line; - for the standard input')
      .option('--report <file>', 'write a report for people: one HTML page')
      .option('--failures <file>', 'write the lines that failed, as they came')
      .option('--errors <file>', 'write all errors and warnings as a table: CSV; - for the standard output')
      .option('--allow-empty', 'take an input without accounts for right, not for a failure')
      .option(
        '--workers <number>',
        'threads; as many as there are processors when left out',
        wholeNumber(1, 256),
      )
      .option('--today <day>', 'validate as on that day (YYYY-MM-DD); today when left out', localDate)
      .option('--settings <file>', 'validate by the settings that supplier show CODE --json has printed'),
  ).action(async (file: string, options: Options) => {
    const job = await jobOf(context, file, options)
    context.finish(job._tag === 'Left' ? job : await run(context, job.right, options), options)
  })
