import { html, type Html, noHtml } from '@account-import/http-contract'
import type { CodeCount, FindingSeverity } from '../counts.js'
import { breakable, fieldText } from './field-text.js'
import { counted, numberText } from './numbers.js'

/** A row of a chart: what it is about, and how much of it. */
type BarRow = Readonly<{ name: Html; value: number; other?: number }>

type Columns = Readonly<{ name: string; value: string; other?: string }>

const bar = (value: number, highest: number, tone: 'bad' | 'warn'): Html =>
  html`<svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
    <rect class="fill-track" width="100" height="12" />
    <rect class="fill-${tone}" width="${Math.max(1, (100 * value) / highest).toFixed(2)}" height="12" />
  </svg>`

/** A bar chart that is a table: each bar beside its numbers. At most `limit` rows; the rest is counted. */
const barTable = (
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

const codeRow = ({ code, severity, accounts, findings }: CodeCount): BarRow => ({
  name: html`<a href="#${severity}-${code}"><code>${breakable(code)}</code></a>`,
  value: accounts,
  other: findings,
})

/** Findings of each field, whatever their code; most first. */
const fieldRows = (codes: readonly CodeCount[]): readonly BarRow[] => {
  const byField = new Map<string, number>()
  for (const { field, findings: count } of codes.flatMap(({ fields }) => fields))
    byField.set(field, (byField.get(field) ?? 0) + count)
  return [...byField]
    .toSorted(([one, many], [other, fewer]) => fewer - many || (one < other ? -1 : 1))
    .map(([field, value]) => ({ name: fieldText(field), value }))
}

const titles = { error: 'Errors', warning: 'Warnings' } as const
const tones = { error: 'bad', warning: 'warn' } as const

/** Where the errors, or the warnings, are: by code and by field. Nothing where there are none. */
export const charts = (all: readonly CodeCount[], severity: FindingSeverity): Html => {
  const codes = all.filter((code) => code.severity === severity)
  if (codes.length === 0) return noHtml
  const [title, tone] = [titles[severity], tones[severity]]
  return html`<div class="two">
    <section id="${severity}s-by-code">
      <h2>${title} by code</h2>
      ${barTable('Accounts that have it, and how often it occurs', { name: 'Code', value: 'Accounts', other: 'Times' }, codes.map(codeRow), tone)}
    </section>
    <section id="${severity}s-by-field">
      <h2>${title} by field</h2>
      ${barTable('How often; [] stands for any item of a list', { name: 'Field', value: 'Times' }, fieldRows(codes), tone)}
    </section>
  </div> `
}
