import { html, type Html, noHtml } from '@account-import/core/adapter-kit'
import { type CodeCount, type FileTotals, type FindingSeverity, spreadBounds } from '../counts.js'
import { counted, numberText } from './numbers.js'
import { breakable, dataTable, fieldText } from './parts.js'

/** Names of the classes: `1`, `3–5`, `over 100`. */
const names = [
  ...spreadBounds.map((bound, at) => {
    const from = (spreadBounds[at - 1] ?? 0) + 1
    return from === bound ? String(bound) : `${from}–${bound}`
  }),
  `over ${spreadBounds.at(-1) ?? 0}`,
]

const column = (highest: number) => (count: number, at: number) => {
  const height = (130 * count) / highest
  return html`<rect
      class="fill-bad"
      x="${at * 64 + 8}"
      y="${(160 - height).toFixed(2)}"
      width="48"
      height="${height.toFixed(2)}"
      rx="2"
    /><text class="value" x="${at * 64 + 32}" y="${(153 - height).toFixed(2)}">${numberText(count)}</text
    ><text x="${at * 64 + 32}" y="180">${names[at] ?? ''}</text>`
}

const histogram = (spread: readonly number[]): Html =>
  html`<svg
    class="spread"
    viewBox="0 0 ${spread.length * 64} 190"
    role="img"
    aria-label="Failed accounts by their number of errors; the table has the numbers"
  >
    <rect class="fill-track" y="160" width="${spread.length * 64}" height="1.5" />
    ${spread.map(column(Math.max(1, ...spread)))}
  </svg>`

const spreadTable = (spread: readonly number[]): Html =>
  dataTable(
    [['Errors'], ['Accounts', 'num']],
    spread.map((count, at) => [names[at] ?? '', numberText(count)]),
    { caption: 'Failed accounts by their number of errors' },
  )

const linesShown = 8

const heaviestTable = ({ heaviest }: FileTotals): Html =>
  dataTable(
    [['Line'], ['Errors', 'num'], ['Warnings', 'num']],
    heaviest
      .slice(0, linesShown)
      .map(({ line, errors, warnings }) => [`line ${line}`, numberText(errors), numberText(warnings)]),
    { caption: 'The lines with the most errors' },
  )

/** Whether few accounts have many errors, or many have few; and the worst lines. */
export const spreadSection = (totals: FileTotals): Html =>
  totals.failed === 0
    ? noHtml
    : html`<div class="two">
        <section id="spread">
          <h2>Errors per account</h2>
          ${histogram(totals.spread)}
          <details>
            <summary>The numbers</summary>
            ${spreadTable(totals.spread)}
          </details>
        </section>
        <section>
          <h2>Where it is worst</h2>
          ${heaviestTable(totals)}
        </section>
      </div> `

/** A row of a chart: what it is about, and how much of it. */
type BarRow = Readonly<{ name: Html; value: number; other?: number }>

const bar = (value: number, highest: number, tone: 'bad' | 'warn'): Html =>
  html`<svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
    <rect class="fill-track" width="100" height="12" />
    <rect class="fill-${tone}" width="${Math.max(1, (100 * value) / highest).toFixed(2)}" height="12" />
  </svg>`

/** A bar chart that is a table: each bar beside its numbers. At most `limit` rows; the rest is counted. */
const barTable = (
  caption: string,
  [name, value, other]: readonly string[],
  rows: readonly BarRow[],
  tone: 'bad' | 'warn',
  limit = 8,
): Html => {
  const highest = Math.max(1, ...rows.map((row) => row.value))
  const rest = rows.length - limit
  const columns = [[name ?? ''], ['', 'bar'], [value ?? '', 'num']] as const
  return html`${dataTable(
    other === undefined ? columns : [...columns, [other, 'num']],
    rows
      .slice(0, limit)
      .map((row) => [
        row.name,
        bar(row.value, highest, tone),
        numberText(row.value),
        ...(other === undefined ? [] : [numberText(row.other ?? 0)]),
      ]),
    { caption, look: 'bars' },
  )}
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
      ${barTable('Accounts that have it, and how often it occurs', ['Code', 'Accounts', 'Times'], codes.map(codeRow), tone)}
    </section>
    <section id="${severity}s-by-field">
      <h2>${title} by field</h2>
      ${barTable('How often; [] stands for any item of a list', ['Field', 'Times'], fieldRows(codes), tone)}
    </section>
  </div> `
}
