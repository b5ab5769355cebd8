import type { ErrorCode } from '@account-import/core'
import { codeFacts, type CodeFacts } from './code-facts.js'
import { exampleText } from './example-text.js'
import { markup, nothing, type Markup } from './markup.js'
import { page } from './page.js'

const items = (texts: readonly string[]): readonly Markup[] => texts.map((text) => markup`<li>${text}</li>\n`)

/** May be broken after each word, as codes are longer than a line of a phone. */
const breakable = (code: ErrorCode): readonly Markup[] =>
  code.split('_').map((word, index) => (index === 0 ? markup`${word}` : markup`_<wbr>${word}`))

/** A path of a payload is code, words are words. */
const place = (path: string): Markup =>
  /^[a-z0-9_.N]+$/.test(path) ? markup`<li><code>${path}</code></li>\n` : markup`<li>${path}</li>\n`

const fact = (name: string, value: string | Markup): Markup => markup`<dt>${name}</dt><dd>${value}</dd>\n`

const settingOf = ({ command }: CodeFacts): Markup =>
  command === undefined
    ? markup`No, it is the same for all suppliers`
    : markup`By the operator, for a supplier:<br><code>${command}</code>`

const table = (facts: CodeFacts): Markup => markup`<dl>
${fact('What to do', facts.remedy)}${fact('Appears as', facts.where)}${fact('HTTP status', facts.statuses)}
${fact('Severity', facts.severity)}${fact('Changeable', settingOf(facts))}</dl>`

const example = ({ guide }: CodeFacts): Markup => {
  const { place: where, bad, good, setting } = exampleText(guide.example)
  const above = where === '' ? nothing : markup`<p>Fields of ${where}.</p>`
  const needed =
    setting === undefined
      ? nothing
      : markup`<p>With this setting of the supplier: <code>account-import supplier configure SUPPLIER ${setting}</code></p>`
  return markup`<h2>Example</h2>
${above}${needed}
<figure class="bad"><figcaption>Gets the code</figcaption><pre><code>${bad}</code></pre></figure>
<figure class="good"><figcaption>Does not</figcaption><pre><code>${good}</code></pre></figure>`
}

const counting = markup`<p>N stands for an index, counted from 0.</p>`

const attributes = ({ guide }: CodeFacts): Markup =>
  guide.at.length === 0
    ? nothing
    : markup`<h2>Where <code>attr</code> points</h2>
<ul>
${guide.at.map(place)}</ul>
${guide.at.some((path) => path.includes('.N')) ? counting : nothing}`

const placeholders = ({ detail }: CodeFacts): Markup =>
  detail.includes('{')
    ? markup`<p>What stands in braces is filled from the rule, never from the payload.</p>`
    : nothing

const body = (facts: CodeFacts, up: string): Markup => {
  const { code, detail, guide } = facts
  const related = guide.related.map(
    (other) => markup`<li><a href="${up}${other}/"><code>${other}</code></a></li>\n`,
  )
  return markup`<h1><code>${breakable(code)}</code></h1>
<p class="lead">${detail}</p>
${placeholders(facts)}
${table(facts)}
<h2>What it means</h2>
<p>${guide.means}</p>
<h2>Why it happens</h2>
<ul>
${items(guide.causes)}</ul>
<h2>How to fix it</h2>
<ol>
${items(guide.fix)}</ol>
${example(facts)}
${attributes(facts)}
<h2>Related codes</h2>
<ul>
${related}</ul>`
}

/**
 * The page of a code. `up` leads from its address to that of the index: `../` where the address ends with a slash,
 * else `./`.
 */
export const errorPage = (code: ErrorCode, up: '../' | './'): string => {
  const facts = codeFacts(code)
  return page({
    title: code,
    description: facts.detail,
    above: [
      { href: `${up}../`, title: 'Documentation' },
      { href: up, title: 'Error codes' },
    ],
    body: body(facts, up),
  })
}
