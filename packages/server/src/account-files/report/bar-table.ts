import { html, noHtml, type Html } from '@account-import/http-contract'
import { counted, numberText } from './numbers.js'

/** A row of a chart: what it is about, and how much of it. */
export type BarRow = Readonly<{ name: Html; value: number; other?: number }>

type Columns = Readonly<{ name: string; value: string; other?: string }>

const bar = (value: number, highest: number, tone: 'bad' | 'warn'): Html =>
  html`<svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
    <rect class="fill-track" width="100" height="12" />
    <rect class="fill-${tone}" width="${Math.max(1, (100 * value) / highest).toFixed(2)}" height="12" />
  </svg>`

/** A bar chart that is a table: each bar beside its numbers. At most `limit` rows; the rest is counted. */
export const barTable = (
  title: string,
  columns: Columns,
  rows: readonly BarRow[],
  tone: 'bad' | 'warn',
  limit = 8,
): Html => {
  const shown = rows.slice(0, limit)
  const highest = Math.max(1, ...rows.map(({ value }) => value))
  const other = columns.other
  const rest = rows.length - shown.length
  return html`<table class="bars">
      <caption>
        ${title}
      </caption>
      <thead>
        <tr>
          <th scope="col">${columns.name}</th>
          <td></td>
          <th scope="col" class="num">${columns.value}</th>
          ${other === undefined ? noHtml : html`<th scope="col" class="num">${other}</th>`}
        </tr>
      </thead>
      <tbody>
        ${shown.map(
          (row) =>
            html`<tr>
              <th scope="row">${row.name}</th>
              <td class="bar">${bar(row.value, highest, tone)}</td>
              <td class="num">${numberText(row.value)}</td>
              ${other === undefined ? noHtml : html`<td class="num">${numberText(row.other ?? 0)}</td>`}
            </tr> `,
        )}
      </tbody>
    </table>
    ${rest > 0 ? html`<p class="soft small">and ${counted(rest, 'more row')}</p>` : noHtml}`
}
