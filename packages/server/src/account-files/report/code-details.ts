import { bundledMarkets, catalogueOf } from '@account-import/core'
import { html, type Html, noHtml } from '@account-import/core/adapter-kit'
import { documentation } from '../../documentation.js'
import type { CodeCount, FieldCount, FindingSeverity } from '../counts.js'
import { counted, numberText } from './numbers.js'
import { breakable, dataTable, fieldText, meaningText } from './parts.js'

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

const noteText = (text: string): Html =>
  text === '' ? noHtml : html`<br /><span class="small">${text}</span>`

const tableOf = (fields: readonly FieldCount[], withDetail: boolean): Html =>
  dataTable(
    [['Field'], ['Accounts', 'num'], ['Times', 'num'], ['Where, for example']],
    fields.map((field) => [
      html`${fieldText(field.field)}${noteText(withDetail ? field.detail : '')}${noteText(meaningText(field.field))}`,
      numberText(field.accounts),
      numberText(field.findings),
      exampleText(field),
    ]),
    { look: 'places' },
  )

/**
 * Where a code occurs: the most frequent fields, each with its first lines; further fields are folded, and beyond a limit only
 * counted. `withDetail`: each field has a text of its own.
 */
const places = ({ fields }: CodeCount, withDetail: boolean): Html => {
  const folded = fields.slice(openFields, fieldLimit)
  const rest = fields.length - openFields - folded.length
  if (folded.length === 0) return tableOf(fields, withDetail)
  return html`${tableOf(fields.slice(0, openFields), withDetail)}
    <details>
      <summary>${counted(fields.length - openFields, 'more field')}</summary>
      ${tableOf(folded, withDetail)}${rest > 0 ? html`<p class="soft small">and ${counted(rest, 'more field')}</p>` : noHtml}
    </details>`
}

/** Codes that are listed; the others can be unfolded. There are no more than the catalogue has. */
const openCodes = 20

const classes = {
  data: 'Fix the data',
  'set-up': 'Change the set-up',
  retry: 'Send it again later',
} as const

/** Files are validated by the bundled markets. */
const published = catalogueOf(bundledMarkets)

/** The anchor stands inside: a link to it unfolds the code. */
const codeEntry = (code: CodeCount, unfolded: boolean): Html => {
  const { detail = '', class: remedy = 'data' } = published[code.code] ?? {}
  // Such a text holds a limit of the field, so it is another one for each field.
  const hasLimit = /\{\w+\}/.test(detail)
  return html`<details class="code"${unfolded ? html` open` : noHtml}>
    <summary>
      <h3><code>${breakable(code.code)}</code></h3>
      <span class="soft small">${counted(code.accounts, 'account')}, ${counted(code.findings, 'time')}</span>
    </summary>
    <p id="${code.severity}-${code.code}">
      ${hasLimit ? noHtml : html`${detail} `}<span class="tag">${classes[remedy]}</span> <a
        href="${documentation}/errors/${code.code}.md"
        >What ${code.code} means, and how to fix it</a
      >
    </p>
    ${places(code, hasLimit)}
  </details> `
}

const titles = { error: 'What to correct', warning: 'What to look at' } as const

/** Every code with its text, what has to be done about it, and where it occurs; no value of an account. */
export const codeDetails = (all: readonly CodeCount[], severity: FindingSeverity): Html => {
  const codes = all.filter((code) => code.severity === severity)
  if (codes.length === 0) return noHtml
  const folded = codes.slice(openCodes)
  return html`<section class="long" id="${severity}s">
    <h2>${titles[severity]}</h2>
    ${codes.slice(0, openCodes).map((code, at) => codeEntry(code, at === 0))}${
      folded.length === 0
        ? noHtml
        : html`<details class="rest">
          <summary>${counted(folded.length, 'more code')}</summary>
          ${folded.map((code) => codeEntry(code, false))}
        </details>`
    }
  </section> `
}
