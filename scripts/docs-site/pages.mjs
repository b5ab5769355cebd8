import { readdirSync, readFileSync } from 'node:fs'
import { errorsPage } from '../reference/errors.mjs'
import { codePages, withFacts } from './codes.mjs'
import { endpointPage, inColumns, operations } from './endpoints.mjs'
import { layout } from './layout.mjs'
import { rendered } from './markdown.mjs'
import { roleCards, startPage } from './start.mjs'

const root = new URL('../../', import.meta.url)
const read = (source) => readFileSync(new URL(source, root), 'utf8')

/** Pages that the site shows in another form. */
const shownOtherwise = new Set(['README.md', 'endpoints.md', 'errors.md'])

/** The group of each how-to, in the order of their index. */
const groups = new Map(
  read('docs/how-to/README.md')
    .split('\n## ')
    .slice(1)
    .flatMap((section) =>
      [...section.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => [name, section.split('\n')[0]]),
    ),
)

const namesIn = (kind) => {
  const names = readdirSync(new URL(`docs/${kind}/`, root))
    .filter((name) => name.endsWith('.md') && !shownOtherwise.has(name))
    .toSorted()
  if (kind !== 'how-to') return names
  if (groups.size !== names.length || names.some((name) => !groups.has(name)))
    throw new Error('docs/how-to/README.md does not list each page')
  return [...groups.keys()]
}

const sources = ['tutorials', 'how-to', 'reference'].flatMap((kind) =>
  namesIn(kind).map((name) => ({
    kind,
    group: kind === 'how-to' ? groups.get(name) : undefined,
    source: `docs/${kind}/${name}`,
    path: `${kind}/${name.slice(0, -'.md'.length)}/`,
  })),
)
const pageSources = new Set(sources.map(({ source }) => source))

const made = ({ source, text = read(source), ...page }) => ({
  ...page,
  ...rendered(text, source, (other) => pageSources.has(other)),
})

/** Every page except the first one: pages of the folder `docs`, of endpoints and of codes. */
const withoutStart = [
  ...sources.map(made),
  ...operations.map((operation) => {
    const page = made({
      kind: 'endpoints',
      path: `endpoints/${operation.operationId}/`,
      label: `${operation.method} ${operation.path.replace('/v1/data-import', '')}`,
      text: endpointPage(operation),
    })
    return { ...page, isWide: true, html: inColumns(page.html) }
  }),
  made({ kind: 'errors', path: 'errors/', source: 'docs/reference/errors.md', text: errorsPage(true) }),
  ...Object.keys(codePages).map((code) => {
    const source = `docs/errors/${code}.md`
    const page = made({
      kind: 'errors',
      path: `errors/${code}/`,
      source,
      text: withFacts(code, read(source)),
    })
    const html = page.html
      .replace('<ul>', '<ul class="chips">')
      .replace('<p>Wrong:', '<p class="bad">Wrong:')
      .replace('<p>Right:', '<p class="good">Right:')
    return { ...page, html }
  }),
]

const searchPage = made({
  path: 'search/',
  text: '# Search\n\nThe search needs JavaScript. [All pages](docs:)\n',
})
searchPage.html += '<ul class="codes" id="results"></ul>\n'

/** The page for trying requests, with all files that Swagger UI loads in its folder. */
const interactivePage = made({
  path: 'interactive/',
  text: `# Try requests

This page sends real requests to this service. Enter an API key here, or a token under “Authorize”. The demo of \`npm start\` has a
key in \`data/demo-api-key\`. The pages of the [endpoints](docs:#endpoints) have the same content without a script.
`,
})
interactivePage.html += `<noscript><p>This page needs JavaScript.</p></noscript>
<form id="key"><label>API key <input name="key" type="password" autocomplete="off" required></label>
<button>Use this key</button> <output></output></form>
<div id="swagger-ui"></div>
<p class="soft">Swagger UI, <a href="LICENSE">Apache License 2.0</a>, <a href="NOTICE">notice</a>,
<a href="swagger-ui-bundle.js.LICENSE.txt">licences of what it contains</a></p>
`
interactivePage.isWide = true
interactivePage.head = `<link rel="stylesheet" href="swagger-ui.css">
<link rel="stylesheet" href="interactive.css">
<script src="swagger-ui-bundle.js" defer></script>
<script src="start.js" type="module"></script>
`

const notFound = made({
  path: '',
  text: `# No such page

There is no page of this name.

Codes are never renamed. Check the spelling, or whether the page of another service was meant. [All codes](docs:errors/),
[all pages](docs:)
`,
})

/** The page at the address of the service. The service puts its parts in place of `PARTS`. */
const service = made({
  path: 'service/',
  text: `# This service

Its state, and the next step. The [documentation](docs:) has tutorials, endpoints, error codes and a search.

PARTS

## Next step
`,
})
service.html += roleCards

/** The entries of the search: each endpoint and code as a whole, each section of other pages. */
const sectionsOf = ({ kind, path, title, description, sections }) => {
  if (path === 'errors/') return []
  if (kind === 'errors') {
    const text = sections.map((section) => (section.heading === 'Example' ? '' : section.text)).join(' ')
    return [{ href: path, page: 'Error codes', heading: title, text }]
  }
  if (kind === 'endpoints')
    return [{ href: path, page: 'Endpoints', heading: title, text: `${sections[0].text} ${path}` }]
  return sections.map(({ anchor, heading, text }) => ({
    href: `${path}#${anchor}`,
    page: title,
    heading,
    text: text || description,
  }))
}

/** Ranks endpoints and codes above other pages. */
const ranks = { endpoints: 0, errors: 1 }
const found = withoutStart.toSorted((one, other) => (ranks[one.kind] ?? 2) - (ranks[other.kind] ?? 2))

/** The pages by their paths, the index of the search, and the page in place of an unknown one. */
export const pageFiles = () => {
  const start = made({ path: '', text: startPage(withoutStart) })
  start.html = start.html.replace('<h2', `${roleCards}<h2`)
  const pages = [start, ...withoutStart, searchPage, interactivePage]
  return {
    pages: new Map(pages.map((page) => [page.path, layout(page, pages)])),
    search: JSON.stringify(found.flatMap(sectionsOf)),
    notFound: layout(notFound, pages, 'docs:'),
    service: layout(service, pages, 'docs:'),
  }
}
