import { fieldAnchor } from '@account-import/account-files'
import { html, type Html } from '@account-import/core/html'
import { documentation } from '../../program-name.js'

/** A code or path with possible line breaks after dots and underscores. */
export const breakable = (name: string): Html =>
  html`${name.split(/(?<=[._])/).map((part, at) => (at === 0 ? html`${part}` : html`<wbr />${part}`))}`

/** The path of a field, with a link to its documentation if the payload has the field. The empty path is the account itself. */
export const fieldText = (field: string): Html => {
  const text = field === '' ? html`<span>the account itself</span>` : html`<code>${breakable(field)}</code>`
  const anchor = fieldAnchor(field)
  if (anchor === undefined) return text
  return html`<a href="${documentation}/reference/fields.md#${anchor}">${text}</a>`
}
