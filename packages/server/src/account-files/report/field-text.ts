import { html, type Html } from '@account-import/http-contract'
import { fieldPage } from './field-page.js'

/** A code or path that may be broken after its dots and underscores. */
export const breakable = (name: string): Html =>
  html`${name.split(/(?<=[._])/).map((part, at) => (at === 0 ? html`${part}` : html`<wbr />${part}`))}`

/** The path of a field, with a link to its documentation; the empty one is the account itself. */
export const fieldText = (field: string): Html => {
  const text = field === '' ? html`<span>the account itself</span>` : html`<code>${breakable(field)}</code>`
  const page = fieldPage(field)
  return page === undefined ? text : html`<a href="${page}">${text}</a>`
}
