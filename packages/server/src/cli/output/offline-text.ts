import type { FileTotals } from '../../account-files/file-totals.js'
import { counted, decimalText, numberText } from '../../account-files/report/numbers.js'
import type { OfflineOutcome } from '../../offline/run-offline.js'
import { codesText } from './codes-text.js'
import { writtenText } from './written-text.js'

const totalsText = ({ totals, facts }: OfflineOutcome, mayBeEmpty: boolean): string => {
  const { accounts, lines, failed, validWithWarnings } = totals
  if (accounts === 0)
    return `The input holds no account on ${counted(lines, 'line')}.${mayBeEmpty ? '' : ' Where that is as it should be: --allow-empty'}`
  const rate = numberText(Math.round(accounts / Math.max(facts.seconds, 0.001)))
  return [
    `Checked ${counted(accounts, 'account')} on ${counted(lines, 'line')} in ${decimalText(facts.seconds)} s (${rate} a second).`,
    `${numberText(accounts - failed)} valid, ${numberText(validWithWarnings)} of them with warnings; ${numberText(failed)} failed.`,
  ].join('\n')
}

const repeats = ({ repeats: { count, examples, complete } }: FileTotals): readonly string[] => {
  if (count === 0) return []
  const where = examples
    .slice(0, 3)
    .map(({ line, firstLine }) => `line ${line} repeats line ${firstLine}`)
    .join(', ')
  return [
    `Notice: ${counted(count, 'line')} with an account that an earlier line has already${complete ? '' : ' (at least)'}: ${where}. The later one would replace the earlier.`,
  ]
}

const notChecked =
  'Not checked offline: supplier and team registers, documents, and what was imported already.'

/** The outcome of `validate` for people. */
export const offlineText = (outcome: OfflineOutcome, mayBeEmpty: boolean): string =>
  [
    totalsText(outcome, mayBeEmpty),
    ...codesText(outcome.totals.codes),
    ...repeats(outcome.totals),
    ...writtenText(outcome.written),
    notChecked,
  ].join('\n\n')
