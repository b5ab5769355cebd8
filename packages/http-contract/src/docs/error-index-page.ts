import {
  catalogueOf,
  type CatalogueEntry,
  type CodeClass,
  type FieldCode,
  type MarketPack,
} from '@account-import/core'
import { html, type Html } from '../html.js'
import { page } from './page.js'
import { shownDetail } from './shown-detail.js'

const sections: readonly (readonly [codeClass: CodeClass, title: string, means: string])[] = [
  ['data', 'Fix the data', 'Correct the payload and send it again.'],
  [
    'set-up',
    'Fix the set-up',
    'Correct address, key, supplier, team or configuration; sending it again changes nothing.',
  ],
  ['retry', 'Send it again', 'The same request may succeed later; wait as long as Retry-After says.'],
]

type Published = readonly [code: FieldCode, entry: CatalogueEntry]

const item = ([code, entry]: Published, down: string): Html =>
  html`<li><a href="${down}${code}/"><code>${code}</code></a><span>${shownDetail(entry)}</span></li>\n`

const section = (title: string, means: string, codes: readonly Published[], down: string): Html =>
  html`<h2>${title}</h2>
<p>${means}</p>
<ul class="codes">
${codes.map((code) => item(code, down))}</ul>
`

/**
 * All codes of the service and its markets with their texts, by what has to be done. `down` is the beginning of
 * relative links from the page: `./` if its address ends with a slash, else `errors/`.
 */
export const errorIndexPage = (down: './' | 'errors/', markets: readonly MarketPack[]): string => {
  const codes = Object.entries(catalogueOf(markets))
  const root = down === './' ? '../' : './'
  return page({
    title: 'Error codes',
    description: 'Every error code of the Customer Account Import Service.',
    root,
    above: [{ href: root, title: 'Documentation' }],
    body: html`<h1>Error codes</h1>
<p class="lead">Decide by the code: it stays, while texts may change. Each code has a page that says what it means and
how to fix it.</p>
${sections.map(([codeClass, title, means]) =>
  section(
    title,
    means,
    codes.filter(([, entry]) => entry.class === codeClass),
    down,
  ),
)}`,
  })
}
