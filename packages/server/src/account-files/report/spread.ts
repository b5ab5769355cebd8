import { html, type Html, noHtml } from '@account-import/core/adapter-kit'
import { type FileTotals, spreadBounds } from '../counts.js'
import { numberText } from './numbers.js'
import { dataTable } from './parts.js'

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
