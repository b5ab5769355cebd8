import { bundledMarkets, catalogueOf } from '@account-import/core'
import { html, noHtml, type Html } from '@account-import/http-contract'
import { documentation } from '../../documentation.js'
import type { CodeCount, FindingSeverity } from '../counts.js'
import { breakable } from './field-text.js'
import { counted } from './numbers.js'
import { places } from './places.js'

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
        href="${documentation}/reference/errors.md#${code.code}"
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
