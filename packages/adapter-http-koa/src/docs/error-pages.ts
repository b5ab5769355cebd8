import {
  type CatalogueEntry,
  catalogueOf,
  type CodeClass,
  type FieldCode,
  type MarketPack,
} from '@account-import/core'
import { html, type Html, noHtml } from '@account-import/http-contract'
import {
  type CodeFacts,
  codeFacts,
  type ExampleText,
  type Guide,
  type Guides,
  shownDetail,
} from './code-facts.js'
import { page } from './page.js'

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

const items = (texts: readonly string[]): readonly Html[] => texts.map((text) => html`<li>${text}</li>\n`)

/** The code with a possible line break after each word, as codes are longer than a line on a phone. */
const breakable = (code: FieldCode): readonly Html[] =>
  code.split('_').map((word, index) => (index === 0 ? html`${word}` : html`_<wbr>${word}`))

/** A path of a payload is shown as code, anything else as plain words. */
const place = (path: string): Html =>
  /^[a-z0-9_.N]+$/.test(path) ? html`<li><code>${path}</code></li>\n` : html`<li>${path}</li>\n`

const fact = (name: string, value: string | Html): Html => html`<dt>${name}</dt><dd>${value}</dd>\n`

const settingOf = ({ command }: CodeFacts): Html =>
  command === undefined
    ? html`No, it is the same for all suppliers`
    : html`By the operator, for a supplier:<br><code>${command}</code>`

const table = (facts: CodeFacts): Html => html`<dl>
${fact('What to do', facts.remedy)}${fact('Appears as', facts.where)}${fact('HTTP status', facts.statuses)}
${fact('Severity', facts.severity)}${fact('Changeable', settingOf(facts))}</dl>`

const exampleOf = ({ place: where, bad, good, setting }: ExampleText): Html => {
  const above = where === '' ? noHtml : html`<p>Fields of ${where}.</p>`
  const needed =
    setting === undefined
      ? noHtml
      : html`<p>With this setting of the supplier: <code>account-import supplier configure SUPPLIER ${setting}</code></p>`
  return html`<h2>Example</h2>
${above}${needed}
<figure class="bad"><figcaption>Gets the code</figcaption><pre><code>${bad}</code></pre></figure>
<figure class="good"><figcaption>Does not</figcaption><pre><code>${good}</code></pre></figure>`
}

const counting = html`<p>N stands for an index, counted from 0.</p>`

const attributes = ({ at }: Guide): Html =>
  at.length === 0
    ? noHtml
    : html`<h2>Where <code>attr</code> points</h2>
<ul>
${at.map(place)}</ul>
${at.some((path) => path.includes('.N')) ? counting : noHtml}`

const placeholders = ({ isFilledIn }: CodeFacts): Html =>
  isFilledIn
    ? html`<p>An answer names what the field takes in place of the general words; it is taken from the rule, never from the
payload.</p>`
    : noHtml

const guidance = (guide: Guide, up: string): Html => {
  const related = guide.related.map(
    (other) => html`<li><a href="${up}${other}/"><code>${other}</code></a></li>\n`,
  )
  return html`<h2>What it means</h2>
<p>${guide.means}</p>
<h2>Why it happens</h2>
<ul>
${items(guide.causes)}</ul>
<h2>How to fix it</h2>
<ol>
${items(guide.fix)}</ol>
${exampleOf(guide.example)}
${attributes(guide)}
<h2>Related codes</h2>
<ul>
${related}</ul>`
}

const body = (facts: CodeFacts, up: string): Html => {
  const { code, detail, guide } = facts
  return html`<h1><code>${breakable(code)}</code></h1>
<p class="lead">${detail}</p>
${placeholders(facts)}
${table(facts)}
${guide === undefined ? noHtml : guidance(guide, up)}`
}

/**
 * The page of a code of the service or of one of its markets, undefined if there is none. `up` is the relative link from
 * it to the index: `../` if its address ends with a slash, else `./`.
 */
export const errorPage = (
  code: FieldCode,
  up: '../' | './',
  markets: readonly MarketPack[],
  guides: Guides,
): string | undefined => {
  const facts = codeFacts(code, markets, guides)
  if (facts === undefined) return undefined
  return page({
    title: code,
    description: facts.detail,
    root: `${up}../`,
    above: [
      { href: `${up}../`, title: 'Documentation' },
      { href: up, title: 'Error codes' },
    ],
    body: body(facts, up),
  })
}

/** The page in place of an unknown code. `up`: see `errorPage`. */
export const noErrorPage = (up: '../' | './'): string =>
  page({
    title: 'No such code',
    description: 'There is no error code of this name.',
    root: `${up}../`,
    above: [
      { href: `${up}../`, title: 'Documentation' },
      { href: up, title: 'Error codes' },
    ],
    body: html`<h1>No such code</h1>
<p class="lead">There is no error code of this name.</p>
<p>Codes are never renamed. Check the spelling, or whether the page of another service was meant.
<a href="${up}">All codes</a></p>`,
  })
