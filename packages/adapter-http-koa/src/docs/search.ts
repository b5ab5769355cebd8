import { catalogueOf, type MarketPack } from '@account-import/core'
import { html, type Html } from '@account-import/http-contract'
import { type Guides, guideTo, shownDetail } from './code-facts.js'
import { operationsOf } from './operations.js'
import { longestQuery, page } from './page.js'

/** A part of a page that can be found: `href` from the first page of the documentation, and its text without markup. */
export type Section = Readonly<{ href: string; page: string; heading: string; text: string }>

/** The most words of a query that are looked at. */
const mostWords = 8
const mostFound = 30

/** The words of a query, in small letters. */
const wordsOf = (query: string): readonly string[] =>
  [
    ...new Set(
      query
        .slice(0, longestQuery)
        .toLowerCase()
        .match(/[\p{L}\p{N}_]+/gu) ?? [],
    ),
  ].slice(0, mostWords)

/** The search entries of codes and endpoints of a service with these markets. */
export const sectionsOf = (markets: readonly MarketPack[], guides: Guides): readonly Section[] => {
  const codes = Object.entries(catalogueOf(markets)).map(([code, entry]) => {
    const guide = guideTo(code, entry, guides)
    const text = [shownDetail(entry), guide?.means ?? '', ...(guide?.causes ?? []), ...(guide?.fix ?? [])]
    return { href: `errors/${code}/`, page: 'Error codes', heading: code, text: text.join(' ') }
  })
  const operations = operationsOf(markets).map(({ method, path, summary, description, name }) => ({
    href: `endpoints/${name}/`,
    page: 'Endpoints',
    heading: `${method} ${path}`,
    text: `${summary} ${description} ${name}`,
  }))
  return [...operations, ...codes]
}

/** A section with its parts as they are compared. */
type Prepared = Readonly<{ section: Section; inHeading: string; inPage: string; inText: string }>

/** Sections made ready once, so that a search only compares. */
type Searchable = readonly Prepared[]

/** Words of a name are found by themselves as well. */
const plain = (text: string): string => `${text} ${text.replaceAll(/[_/-]/g, ' ')}`.toLowerCase()

export const searchable = (sections: readonly Section[]): Searchable =>
  sections.map((section) => ({
    section,
    inHeading: plain(section.heading),
    inPage: plain(section.page),
    inText: plain(section.text),
  }))

const scoreOf = (words: readonly string[], { inHeading, inPage, inText }: Prepared): number => {
  let score = 0
  for (const word of words) {
    const points =
      (inHeading.includes(word) ? 8 : 0) + (inPage.includes(word) ? 2 : 0) + (inText.includes(word) ? 1 : 0)
    if (points === 0) return 0
    score += points
  }
  const whole = words.join(' ')
  return score + (inHeading.includes(whole) ? 10 : 0) + (inText.includes(whole) ? 4 : 0)
}

/** The sections that have all words of a query, the best first. */
const search = (query: string, all: Searchable): readonly Section[] => {
  const words = wordsOf(query)
  if (words.length === 0) return []
  return all
    .map((prepared) => ({ section: prepared.section, score: scoreOf(words, prepared) }))
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .slice(0, mostFound)
    .map(({ section }) => section)
}

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
