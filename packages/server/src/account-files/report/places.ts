import { html, noHtml, type Html } from '@account-import/http-contract'
import type { CodeCount, FieldCount } from '../counts.js'
import { breakable, fieldText } from './field-text.js'
import { counted, numberText } from './numbers.js'

/** Fields that are shown at once, and those that can be unfolded. */
const openFields = 5
const fieldLimit = 15

const exampleText = ({ examples, accounts }: FieldCount): Html => {
  const [first, ...others] = examples
  if (first === undefined) return noHtml
  const column = first.column === undefined ? noHtml : html`, column ${first.column}`
  const attr = first.attr === '' ? noHtml : html` <code>${breakable(first.attr)}</code>`
  const also = others.map(({ line }) => `line ${line}`).join(', ')
  const rest = accounts - examples.length
  const more = rest > 0 ? html` <a href="#every-line">and ${numberText(rest)} more</a>` : noHtml
  return html`line
  ${first.line}${column}${attr}${others.length > 0 ? html`<br /><span class="soft small">also ${also}${more}</span>` : noHtml}`
}

const fieldRow =
  (withDetail: boolean) =>
  (field: FieldCount): Html =>
    html`<tr>
      <th scope="row">
        ${fieldText(field.field)}${withDetail ? html`<br /><span class="small">${field.detail}</span>` : noHtml}
      </th>
      <td class="num">${numberText(field.accounts)}</td>
      <td class="num">${numberText(field.findings)}</td>
      <td>${exampleText(field)}</td>
    </tr> `

const tableOf = (fields: readonly FieldCount[], withDetail: boolean): Html =>
  html`<table class="places">
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col" class="num">Accounts</th>
        <th scope="col" class="num">Times</th>
        <th scope="col">Where, for example</th>
      </tr>
    </thead>
    <tbody>
      ${fields.map(fieldRow(withDetail))}
    </tbody>
  </table>`

/**
 * Where a code occurs: the most frequent fields, each with its first lines; further fields are folded, and beyond a limit only
 * counted. `withDetail`: each field has a text of its own.
 */
export const places = ({ fields }: CodeCount, withDetail: boolean): Html => {
  const folded = fields.slice(openFields, fieldLimit)
  const rest = fields.length - openFields - folded.length
  if (folded.length === 0) return tableOf(fields, withDetail)
  return html`${tableOf(fields.slice(0, openFields), withDetail)}
    <details>
      <summary>${counted(fields.length - openFields, 'more field')}</summary>
      ${tableOf(folded, withDetail)}${rest > 0 ? html`<p class="soft small">and ${counted(rest, 'more field')}</p>` : noHtml}
    </details>`
}
