import { oneCell, printable } from '../../printable.js'
import type { FileTotals, FileWarning, SharedPoint } from '../counts.js'
import { html, type Html, noHtml } from '@account-import/core/adapter-kit'
import { counted, numberText } from './numbers.js'
import { fieldText } from './parts.js'

const shown = 10

const linesText = (lines: readonly number[]): string =>
  lines.length === 0
    ? ''
    : `, first on ${lines.length === 1 ? 'line' : 'lines'} ${lines.map(numberText).join(', ')}`

/** A fault of the whole file in a sentence or two, without the name of the field. */
export const warningText = ({ check, count, of, atLeast, lines }: FileWarning): string => {
  const accounts = `${atLeast ? 'at least ' : ''}${numberText(count)} of ${counted(of, 'account')}`
  const texts: Readonly<Record<FileWarning['check'], string>> = {
    every_balance_is_debt: `All ${numberText(count)} balances that are not zero are below it. Debt is negative and credit positive: check the sign.`,
    every_balance_is_credit: `All ${numberText(count)} balances that are not zero are above it. Credit is positive and debt negative: check the sign.`,
    one_value_in_most_accounts: `The same value stands in ${accounts} with this field${linesText(lines)}. It should differ: check the mapping.`,
    dates_in_future: `The date lies in the future in ${accounts} with this field${linesText(lines)}. Check day, month and century.`,
    dates_before_1990: `The date lies before 1990 in ${accounts} with this field${linesText(lines)}. Check century and default values.`,
  }
  return texts[check]
}

/** Which two lines and accounts have a supply point. Account numbers are from the file, so they are made printable. */
export const sharedText = ({ line, firstLine, number, firstNumber }: SharedPoint): string =>
  printable(
    oneCell(
      `line ${line} (account ${number}) has the supply point of line ${firstLine} (account ${firstNumber})`,
    ),
  )

const listOf = (texts: readonly string[], count: number, name: string): Html =>
  html`<ul class="soft">
    ${texts.slice(0, shown).map((text) => html`<li>${text}</li> `)}
    ${count > shown ? html`<li>and ${counted(count - shown, `more ${name}`)}</li>` : noHtml}
  </ul>`

const forgotten = (complete: boolean): Html =>
  complete
    ? noHtml
    : html`<p class="soft small">The file has more accounts than are remembered, so there may be more.</p>`

/** Duplicates of a file; nothing where there is no such account. */
const repeatsSection = ({ repeats: { count, examples, complete } }: FileTotals): Html =>
  count === 0
    ? noHtml
    : html`<section id="repeats">
        <h2>Accounts that come more than once</h2>
        <p>
          ${counted(count, 'line')} ${count === 1 ? 'names' : 'name'} a supplier and an account number that an
          earlier line has already. When both are staged, the later one replaces the earlier. This does not
          count as an error.
        </p>
        ${listOf(
          examples.map(({ line, firstLine }) => `line ${line} repeats line ${firstLine}`),
          count,
          'line',
        )}${forgotten(complete)}
      </section> `

/** Supply points in several accounts; nothing where there is none. */
const sharedSection = ({ sharedPoints: { count, examples, complete } }: FileTotals): Html =>
  count === 0
    ? noHtml
    : html`<section id="shared-supply-points">
        <h2>Supply points in several accounts</h2>
        <p>
          ${counted(count, 'supply point')} ${count === 1 ? 'stands' : 'stand'} in an account although an account
          of the same supplier on an earlier line has the same one. Both would be billed for it. This does not
          count as an error.
        </p>
        ${listOf(examples.map(sharedText), count, 'supply point')}${forgotten(complete)}
      </section> `

const warningsSection = ({ warnings }: FileTotals): Html =>
  warnings.length === 0
    ? noHtml
    : html`<section id="whole-file">
        <h2>The file as a whole</h2>
        <p>Each account may be valid, and all together look as if they were converted wrongly.</p>
        <ul>
          ${warnings.map((warning) => html`<li>${fieldText(warning.field)}: ${warningText(warning)}</li> `)}
        </ul>
      </section> `

/** The findings of a comparison of all accounts of a file. */
export const wholeFileSections = (totals: FileTotals): Html =>
  html`${warningsSection(totals)}${repeatsSection(totals)}${sharedSection(totals)}`
