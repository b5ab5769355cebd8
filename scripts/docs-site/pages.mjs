import { readdirSync, readFileSync } from 'node:fs'
import { rendered } from './markdown.mjs'

const root = new URL('../../', import.meta.url)

/** Folders of pages, in the order in which they are listed; what the service shows in another form is left out. */
const kinds = ['tutorials', 'how-to', 'reference']
const shownOtherwise = new Set(['README.md', 'endpoints.md', 'errors.md'])

const sources = kinds.flatMap((kind) =>
  readdirSync(new URL(`docs/${kind}/`, root))
    .filter((name) => name.endsWith('.md') && !(kind === 'reference' && shownOtherwise.has(name)))
    .toSorted()
    .map((name) => ({
      kind,
      source: `docs/${kind}/${name}`,
      path: `${kind}/${name.slice(0, -'.md'.length)}/`,
    })),
)
const known = new Set(sources.map(({ source }) => source))

/** The files that the pages of `docs` become: a list, what can be found in them, and a fragment of HTML each. */
export const pageFiles = () => {
  const pages = sources.map(({ kind, source, path }) => ({
    kind,
    path,
    ...rendered(readFileSync(new URL(source, root), 'utf8'), source, (other) => known.has(other)),
  }))
  const list = pages.map(({ kind, path, title, description }) => ({ kind, path, title, description }))
  const sections = pages.flatMap(({ path, title, sections: parts }) =>
    parts.map(({ anchor, heading, text }) => ({ href: `${path}#${anchor}`, page: title, heading, text })),
  )
  return new Map([
    ['pages.json', JSON.stringify(list)],
    ['sections.json', JSON.stringify(sections)],
    ...pages.map(({ path, html }) => [`${path.slice(0, -1)}.html`, html]),
  ])
}
