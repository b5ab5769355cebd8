import type { CodeCount, FindingSeverity } from '../counts.js'
import { barTable, type BarRow } from './bar-table.js'
import { breakable, fieldText } from './field-text.js'
import { html, noHtml, type Html } from '@account-import/http-contract'

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
