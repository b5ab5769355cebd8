import type { ImportJob } from '../../import/import-job.js'
import { lineStates } from '../../import/line-outcome.js'
import type { ImportOutcome } from '../../import/run-import.js'
import { statesText } from '../../import/states-text.js'
import type { Tally } from '../../import/tally.js'
import { counted, decimalText, numberText } from '../../account-files/report/numbers.js'
import type { CommandError } from '../command-error.js'
import type { CommandOutput } from '../command-result.js'
import { exitCode } from '../exit-code.js'
import { codesText } from './codes-text.js'
import { writtenText } from './written-text.js'

const headline = ({ states, totals, facts }: ImportOutcome): string => {
  const rate = numberText(Math.round(totals.accounts / Math.max(facts.seconds, 0.001)))
  const counts = totals.accounts === 0 ? 'The file holds no account.' : `${statesText(states)}.`
  return `${counted(totals.accounts, 'account')} in ${decimalText(facts.seconds)} s (${rate} a second).\n${counts}`
}

const text = (outcome: ImportOutcome): string =>
  [headline(outcome), ...codesText(outcome.totals.codes), ...writtenText(outcome.written)].join('\n\n')

/** The outcome of an import, for programs and for people. */
export const importOutput = (job: ImportJob, outcome: ImportOutcome, tally: Tally): CommandOutput => {
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

/** What a run did before it was stopped, and how to go on. */
export const stoppedOutput = (
  error: CommandError,
  tally: Tally,
  command: string | undefined,
): CommandOutput => {
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
