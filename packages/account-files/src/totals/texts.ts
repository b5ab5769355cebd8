import {
  type FileWarning,
  type LineTotals,
  mostRemembered,
  type Repeat,
  type SharedPoint,
  spreadBounds,
} from '../outcomes/counts.js'
import { oneCell, printable } from '../tables/printable.js'
import { counted, numberText } from './numbers.js'

/** The outcome in a sentence, and its tone. */
export type Verdict = Readonly<{ tone: 'good' | 'warn' | 'bad'; words: string }>

/** The parts of a file without failed accounts that a person should check. */
const doubts = ({ validWithWarnings, warnings, repeats, sharedPoints }: LineTotals): readonly string[] => [
  ...(validWithWarnings > 0 ? [counted(validWithWarnings, 'account')] : []),
  ...(warnings.length + repeats.count + sharedPoints.count > 0 ? ['the file as a whole'] : []),
]

/** The outcome of a check in a sentence, and its tone. */
export const verdictOf = (totals: LineTotals): Verdict => {
  const { accounts, failed } = totals
  if (accounts === 0) return { tone: 'warn', words: 'The file contains no accounts.' }
  if (failed > 0)
    return {
      tone: 'bad',
      words: `${counted(failed, 'account')} of ${numberText(accounts)} ${failed === 1 ? 'fails' : 'fail'} validation and cannot be imported unchanged.`,
    }
  const doubtful = doubts(totals)
  return doubtful.length > 0
    ? { tone: 'warn', words: `Every account is valid; ${doubtful.join(' and ')} should be checked.` }
    : { tone: 'good', words: 'Every account is valid, without any warning.' }
}

/** Names of the classes: `1`, `3–5`, `over 100`. */
export const spreadNames = [
  ...spreadBounds.map((bound, at) => {
    const from = (spreadBounds[at - 1] ?? 0) + 1
    return from === bound ? String(bound) : `${from}–${bound}`
  }),
  `over ${spreadBounds.at(-1) ?? 0}`,
]

/** The text of the place of a line: the line itself, or the row of the source that it was converted from. */
export type Place = (line: number) => string

/** The place of a line of a file that people have. */
export const lineText: Place = (line) => `line ${line}`

const linesText = (lines: readonly number[], place: Place): string => {
  if (lines.length === 0) return ''
  if (place !== lineText) return `, first in ${lines.map(place).join(', ')}`
  return `, first on ${lines.length === 1 ? 'line' : 'lines'} ${lines.map(numberText).join(', ')}`
}

/** The text of a fault of the whole file, without the name of the field. */
export const warningText = (
  { check, count, of, atLeast, lines: numbers, sum = '' }: FileWarning,
  place = lineText,
): string => {
  const lines = linesText(numbers, place)
  const accounts = `${atLeast ? 'at least ' : ''}${numberText(count)} of ${counted(of, 'account')}`
  const texts: Readonly<Record<FileWarning['check'], string>> = {
    every_balance_is_debt: `All ${numberText(count)} balances that are not zero are below it. Debt is negative and credit positive: check the sign.`,
    every_balance_is_credit: `All ${numberText(count)} balances that are not zero are above it. Credit is positive and debt negative: check the sign.`,
    one_value_in_most_accounts: `The same value is in ${accounts} with this field${lines}. It should differ: check the mapping.`,
    accounts_without_supply_points:
      count === of
        ? `No account has a supply point, so the file was joined wrongly. Check the keys of customers and supply points.`
        : `There is no supply point in ${accounts}${lines}. Check the keys of customers and supply points.`,
    negative_credits: `${numberText(count)} of ${counted(of, 'credit')} have an amount below zero, in sum ${sum}: they lower the balance. Check sign and type.`,
    negative_charges: `${numberText(count)} of ${counted(of, 'charge')} have an amount below zero, in sum ${sum}: they raise the balance. Check sign and type.`,
    dates_in_future: `The date is in the future in ${accounts} with this field${lines}. Check day, month and century.`,
    dates_before_1990: `The date is before 1990 in ${accounts} with this field${lines}. Check century and default values.`,
  }
  return texts[check]
}

/** The text of a shared supply point. Escapes the account numbers, which come from the file. */
export const sharedText = ({ line, firstLine, number, firstNumber }: SharedPoint, place = lineText): string =>
  printable(
    oneCell(
      `${place(line)} (account ${number}) has the supply point of ${place(firstLine)} (account ${firstNumber})`,
    ),
  )

/** The text of an account that an earlier line has already. */
export const repeatText = ({ line, firstLine }: Repeat, place = lineText): string =>
  printable(oneCell(`${place(line)} repeats ${place(firstLine)}`))

/** The part of a file that was compared, if it has more accounts or supply points than are remembered; undefined for any other file. */
export const comparedText = ({
  repeats,
  sharedPoints,
}: Pick<LineTotals, 'repeats' | 'sharedPoints'>): string | undefined => {
  const bounded = [
    ...(repeats.complete ? [] : ['accounts']),
    ...(sharedPoints.complete ? [] : ['supply points']),
  ]
  return bounded.length === 0
    ? undefined
    : `Only the first ${numberText(mostRemembered)} ${bounded.join(' and ')} were compared with all others; each account was checked by itself.`
}
