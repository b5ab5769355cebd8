import { E } from '@account-import/core/adapter-kit'
import { FileFailure } from '../../account-files/file-failure.js'
import { counted, decimalText, numberText } from '../../account-files/report/numbers.js'
import { type ImportJob, lineStates } from '../../import/import-job.js'
import { type ImportOutcome, runImport } from '../../import/run-import.js'
import type { ProcessSurroundings } from '../../import/run-process.js'
import type { ServiceSetup } from '../../import/service.js'
import { statesText } from '../../import/states-text.js'
import { Tally } from '../../import/tally.js'
import type { CliContext, CliIo, JsonOption } from '../cli-io.js'
import { type CommandError, type CommandOutput, type CommandResult, exitCode } from '../command-result.js'
import { outputClash } from '../offline/output-clash.js'
import { printer } from '../offline/progress.js'
import { stoppable } from '../offline/stoppable.js'
import { codesText } from '../output/codes-text.js'
import { writtenText } from '../output/table.js'
import { connect, type WorkOptions } from './connection.js'
import { liveView } from './live-view.js'
import { stoppedError } from './stopped.js'

const headline = ({ states, totals, facts }: ImportOutcome): string => {
  const rate = numberText(Math.round(totals.accounts / Math.max(facts.seconds, 0.001)))
  const counts = totals.accounts === 0 ? 'The file holds no account.' : `${statesText(states)}.`
  return `${counted(totals.accounts, 'account')} in ${decimalText(facts.seconds)} s (${rate} a second).\n${counts}`
}

const text = (outcome: ImportOutcome): string =>
  [headline(outcome), ...codesText(outcome.totals.codes), ...writtenText(outcome.written)].join('\n\n')

/** The outcome of an import, for programs and for people. */
const importOutput = (job: ImportJob, outcome: ImportOutcome, tally: Tally): CommandOutput => {
  const { states, totals, facts } = outcome
  return {
    json: {
      file: { name: job.file, bytes: totals.bytes, sha256: totals.sha256 },
      dry_run: job.dryRun,
      lines: totals.lines,
      accounts: totals.accounts,
      ...states,
      errors: totals.codes.map(({ code, accounts, findings: entries }) => ({ code, accounts, entries })),
      repeated_accounts: { lines: totals.repeats.count, complete: totals.repeats.complete },
      written: {
        report: job.outputs.report ?? null,
        failures: job.outputs.failures ?? null,
        errors: job.outputs.errors ?? null,
        mapping: job.outputs.mapping ?? null,
      },
      run: {
        started_at: `${facts.startedAt.toISOString().slice(0, 19)}Z`,
        seconds: Math.round(facts.seconds * 1000) / 1000,
        accounts_per_second: Math.round(totals.accounts / Math.max(facts.seconds, 0.001)),
        concurrency: job.concurrency,
        retries: tally.retries,
      },
    },
    message: text(outcome),
    exitCode: states.failed > 0 ? exitCode.dataHasFailures : exitCode.done,
  }
}

/** The result of a run before it was stopped, and how to go on. */
const stoppedOutput = (error: CommandError, tally: Tally, command: string | undefined): CommandOutput => {
  const { exitCode: code, code: name, detail, errors = [] } = error
  const states = Object.fromEntries(lineStates.map((state) => [state, tally.states[state]]))
  const done = `${counted(tally.accounts, 'account')} until then: ${statesText(tally.states)}.`
  return {
    json: {
      error: { code: name, detail, errors },
      accounts: tally.accounts,
      ...states,
      go_on: command ?? null,
    },
    message: tally.accounts === 0 ? detail : `${done}\n${detail}`,
    notices: [
      ...errors.map((each) => `  ${each.attr}: ${each.detail}`),
      ...(command === undefined ? [] : [`To go on, with the same API key: ${command}`]),
    ],
    exitCode: code,
  }
}

type Work = (asked: ServiceSetup, surroundings: ProcessSurroundings) => Promise<CommandOutput>

/** Runs work that can be stopped, by a signal or by the service; `command` is what has to be typed to go on. */
export const runWith = async (
  io: CliIo,
  options: WorkOptions,
  command: string,
  work: Work,
  supplier?: string,
): Promise<CommandResult> => {
  const connected = await connect(io, options)
  if (E.isLeft(connected)) return connected
  const { client, names } = connected.right
  const tally = new Tally()
  return stoppable(async (stop, stopCode) => {
    try {
      const asked = { client, tally, stop, retrySeconds: options.retryFor }
      return E.right(await work(asked, { progress: liveView(io, tally), print: printer(io) }))
    } catch (cause) {
      if (!(cause instanceof FileFailure)) throw cause
      const error = stoppedError(cause, { ...names, ...(supplier !== undefined && { supplier }) }, stopCode)
      // A refusal would come again, and unreadable input stays unreadable.
      const isOver = error.exitCode === exitCode.refused || cause.kind === 'input_unreadable'
      return E.right(stoppedOutput(error, tally, isOver ? undefined : command))
    }
  })
}

/** Runs an import; `command` is what has to be typed to go on. */
export const importResult = async (
  { io }: CliContext,
  job: ImportJob,
  options: WorkOptions & JsonOption,
  command: string,
): Promise<CommandResult> => {
  if (job.file === '-' && options.apiKeyFile === '-')
    return E.left({
      exitCode: exitCode.refused,
      code: 'usage',
      detail: 'The standard input cannot be both the accounts and the API key.',
    })
  const clash = await outputClash(job.file === '-' ? [] : [job.file], job.outputs, options)
  if (clash !== undefined) return E.left(clash)
  const input = io.input ?? process.stdin
  return runWith(io, options, command, async (asked, surroundings) =>
    importOutput(job, await runImport(job, asked, { input, ...surroundings }), asked.tally),
  )
}
