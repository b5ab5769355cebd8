import type { FileTotals } from '../../account-files/file-totals.js'
import { counted, decimalText, numberText } from '../../account-files/report/numbers.js'
import type { OfflineOutcome } from '../../offline/run-offline.js'
import { table } from './table.js'

const totalsText = ({ totals, facts }: OfflineOutcome): string => {
  const { accounts, lines, failed, validWithWarnings } = totals
  const rate = numberText(Math.round(accounts / Math.max(facts.seconds, 0.001)))
  return [
    `Checked ${counted(accounts, 'account')} on ${counted(lines, 'line')} in ${decimalText(facts.seconds)} s (${rate} a second).`,
    `${numberText(accounts - failed)} valid, ${numberText(validWithWarnings)} of them with warnings; ${numberText(failed)} failed.`,
  ].join('\n')
}

const codes = ({ codes: counts }: FileTotals): readonly string[] =>
  counts.length === 0
    ? []
    : [
        table(
          ['SEVERITY', 'CODE', 'ACCOUNTS', 'TIMES'],
          counts.map(({ severity, code, accounts, findings }) => [
            severity,
            code,
            numberText(accounts),
            numberText(findings),
          ]),
        ),
      ]

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

const written = (paths: readonly string[]): readonly string[] =>
  paths.length === 0 ? [] : [paths.map((path) => `Written: ${path}`).join('\n')]

const notChecked =
  'Not checked offline: supplier and team registers, documents, and what was imported already.'

/** The outcome of `validate` for people. */
export const offlineText = (outcome: OfflineOutcome): string =>
  [
    totalsText(outcome),
    ...codes(outcome.totals),
    ...repeats(outcome.totals),
    ...written(outcome.written),
    notChecked,
  ].join('\n\n')
