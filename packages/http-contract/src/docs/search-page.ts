import { html, type Html } from '../html.js'
import { search, wordsOf, type Searchable } from './found.js'
import { page } from './page.js'

/** Characters shown around the first word that was found. */
const before = 60
const shown = 220

const excerpt = (text: string, words: readonly string[]): Html => {
  const lower = text.toLowerCase()
  const at = Math.max(0, Math.min(...words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)))
  const from = Number.isFinite(at) ? Math.max(0, at - before) : 0
  const part = text.slice(from, from + shown)
  return html`${from > 0 ? '… ' : ''}${part}${from + shown < text.length ? ' …' : ''}`
}

/** The results of a query among sections, as a page. */
export const searchPage = (query: string, sections: Searchable, root: string): string => {
  const words = wordsOf(query)
  const found = search(query, sections)
  const items = found.map(
    ({ href, page: title, heading, text }) =>
      html`<li><a href="${root}${href}">${heading}</a> <small>${title}</small><span>${excerpt(text, words)}</span></li>\n`,
  )
  const count = found.length === 1 ? '1 place' : `${found.length} places`
  return page({
    title: 'Search',
    description: 'Search in the documentation.',
    root,
    above: [{ href: root, title: 'Documentation' }],
    body: html`<h1>Search</h1>
<p class="lead">${words.length === 0 ? 'Nothing was asked for.' : `${count} with: ${words.join(' ')}`}</p>
<ul class="codes">
${items}</ul>`,
  })
}
