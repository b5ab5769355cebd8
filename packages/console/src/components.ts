import { html, type Html } from '@account-import/core/adapter-kit'
import type { Frame } from './layout.js'

/** A code, with a link to its page in the documentation. Codes of markets that a host adds have no page. */
export const codeLink = ({ root, hasPage }: Pick<Frame, 'root' | 'hasPage'>, code: string): Html =>
  hasPage(code)
    ? html`<a href="${root}docs/errors/${code}/"><code>${code}</code></a>`
    : html`<code>${code}</code>`
