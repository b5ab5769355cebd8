import { html, type Html } from '@account-import/http-contract'

/** A code or path that may be broken after its dots and underscores. */
export const breakable = (name: string): Html =>
  html`${name.split(/(?<=[._])/).map((part, at) => (at === 0 ? html`${part}` : html`<wbr />${part}`))}`

/** The path of a field; the empty one is the account itself. */
export const fieldText = (field: string): Html =>
  field === '' ? html`<span>the account itself</span>` : html`<code>${breakable(field)}</code>`
