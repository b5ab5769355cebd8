import { bundledMarkets, catalogueOf } from '@account-import/core'
import type { CodeCount, FindingSeverity, FieldCount } from '../counts.js'
import { breakable, fieldText } from './field-text.js'
import { html, noHtml, type Html } from '@account-import/http-contract'
import { counted, numberText } from './numbers.js'

/** Fields that are shown at once, and those that can be unfolded. */
const openFields = 5
const fieldLimit = 15

const classes = {
  data: 'fix the data',
  'set-up': 'change the set-up',
  retry: 'send it again later',
} as const

/** Files are validated by the bundled markets. */
const published = catalogueOf(bundledMarkets)

const detailOf = ({ code }: CodeCount): string => published[code]?.detail ?? ''

/** The text holds a limit of the field, so it is another one for each field. */
const hasLimit = (code: CodeCount): boolean => /\{\w+\}/.test(detailOf(code))

const exampleText = ({ examples }: FieldCount): Html => {
  const [first, ...others] = examples
  if (first === undefined) return noHtml
  return html`line
  ${first.line}${first.column === undefined ? noHtml : html`, column ${first.column}`}${first.attr === '' ? noHtml : html` <code>${breakable(first.attr)}</code>`}${
    others.length > 0
      ? html`<br /><span class="soft small"
            >also ${others.map(({ line }) => `line ${line}`).join(', ')}</span
          >`
      : noHtml
  }`
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

const tableOf = (code: CodeCount, fields: readonly FieldCount[]): Html =>
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
      ${fields.map(fieldRow(hasLimit(code)))}
    </tbody>
  </table>`

/** The most frequent fields; the others are folded, and beyond the limit only counted. */
const fieldTables = (code: CodeCount): Html => {
  const { fields } = code
  const folded = fields.slice(openFields, fieldLimit)
  const rest = fields.length - openFields - folded.length
  const more = html`<p class="soft small">and ${counted(rest, 'more field')}</p>`
  return html`${tableOf(code, fields.slice(0, openFields))}${
    folded.length > 0
      ? html`<details>
          <summary>${counted(fields.length - openFields, 'more field')}</summary>
          ${tableOf(code, folded)}${rest > 0 ? more : noHtml}
        </details>`
      : noHtml
  }`
}

const article = (code: CodeCount): Html => {
  const error = code.severity === 'error'
  return html`<article class="code" id="${code.severity}-${code.code}">
    <header>
      <h3><code>${breakable(code.code)}</code></h3>
      <span class="tag ${error ? 'bad' : 'warn'}">${code.severity}</span
      ><span class="tag">${classes[published[code.code]?.class ?? 'data']}</span
      ><span class="soft small">${counted(code.accounts, 'account')}, ${counted(code.findings, 'time')}</span>
    </header>
    ${hasLimit(code) ? noHtml : html`<p>${detailOf(code)}</p>`}${fieldTables(code)}
  </article> `
}

const titles = { error: 'What to correct', warning: 'What to look at' } as const

/** Every code with its text, what has to be done about it, and where it occurs; no value of an account. */
export const codeDetails = (all: readonly CodeCount[], severity: FindingSeverity): Html => {
  const codes = all.filter((code) => code.severity === severity)
  return codes.length === 0
    ? noHtml
    : html`<section class="long" id="${severity}s">
        <h2>${titles[severity]}</h2>
        ${codes.map(article)}
      </section> `
}
