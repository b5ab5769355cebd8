import type { MarketPack } from '@account-import/core'
import { Html, html, noHtml } from '@account-import/http-contract'
import { operationsOf, tokenCommand } from './operations.js'
import { page } from './page.js'

/** The kinds of pages that are written by hand or from the code, in the order in which a newcomer needs them. */
const kinds = { tutorials: 'Tutorials', 'how-to': 'How to', reference: 'Reference' } as const

/** A page that was made from Markdown: `path` is `how-to/operate/`, from the first page of the documentation. */
export type SitePage = Readonly<{
  kind: keyof typeof kinds
  path: string
  title: string
  description: string
}>

/** The text in a fragment for the relative link to the first page. */
const rootMark = 'href="docs:'

/** A page around the fragment of HTML that its Markdown became. */
export const sitePage = ({ kind, title, description }: SitePage, fragment: string, root: string): string =>
  page({
    title,
    description,
    root,
    above: [
      { href: root, title: 'Documentation' },
      { href: `${root}#${kind}`, title: kinds[kind] },
    ],
    body: new Html(fragment.replaceAll(rootMark, `href="${root}`)),
  })

const endpointRows = (down: string, markets: readonly MarketPack[]): readonly Html[] =>
  operationsOf(markets).map(
    ({ name, method, path, summary }) =>
      html`<li><a href="${down}endpoints/${name}/"><code>${method} ${path}</code></a><span>${summary}</span></li>\n`,
  )

const pagesOf = (
  kind: string,
  title: string,
  down: string,
  pages: readonly SitePage[],
): Html => html`<h2 id="${kind}">${title}</h2>
<ul class="codes">
${pages
  .filter((each) => each.kind === kind)
  .map(
    ({ path, title: of, description }) =>
      html`<li><a href="${down}${path}">${of}</a><span>${description}</span></li>\n`,
  )}</ul>
`

const link = (to: string, text: string): Html => html`<a href="${to}">${text}</a>`

/** The first pages for each reader. */
const roles = (down: string): readonly Html[] =>
  [
    [
      link(`${down}tutorials/from-a-csv-export/`, 'Import a file'),
      html`From a CSV export to imported accounts; then ${link(`${down}how-to/import-a-supplier/`, 'import a supplier')}.`,
    ],
    [
      link('#token', 'Call the API'),
      html`Take a token, ${link(`${down}interactive/`, 'try requests')}, and ${link(`${down}how-to/import-in-bulk/`, 'send many accounts at once')}.`,
    ],
    [
      link(`${down}tutorials/embed-in-your-platform/`, 'Embed the import'),
      html`Run it inside your platform; ${link(`${down}how-to/embed-the-core/`, 'what the core needs')}.`,
    ],
    [
      link(`${down}how-to/deploy/`, 'Operate the service'),
      html`Deploy it, ${link(`${down}how-to/operate/`, 'operate it')}, and ${link(`${down}how-to/monitor/`, 'monitor it')}.`,
    ],
  ].map(([first, text]) => html`<li>${first ?? noHtml}<span>${text ?? noHtml}</span></li>\n`)

/**
 * The first page of the documentation that the service itself serves, for its markets and the pages that come with it.
 * `down` is the beginning of relative links from it: `./` if its address ends with a slash, else `docs/`.
 */
export const docsPage = (
  down: './' | 'docs/',
  markets: readonly MarketPack[],
  pages: readonly SitePage[],
): string =>
  page({
    title: 'Documentation',
    description: 'Documentation of the Customer Account Import Service.',
    root: down,
    above: [],
    body: html`<h1>Customer Account Import Service</h1>
<p class="lead">Validates, stages and creates customer accounts.</p>
<h2 id="start">Where to start</h2>
<ul class="codes">
${roles(down)}</ul>
<ul>
<li><a href="#token">Get a token</a>, then send the example of any <a href="#endpoints">endpoint</a></li>
<li><a href="${down}interactive/">Try requests</a> in the browser (Swagger UI)</li>
<li><a href="${down}errors/">Error codes</a>: what each one means, and how to fix it</li>
<li><a href="${down === './' ? '../' : './'}openapi.json">OpenAPI document</a> of the API, for tools and generators</li>
</ul>
<h2 id="token">Get a token</h2>
<p>The operator makes an API key with <code>account-import api-key create</code>; the demo of <code>npm start</code> keeps one in
<code>data/demo-api-key</code>. It is exchanged for a token, good for an hour, that every other request carries. Examples use the
organisation, supplier <code>LEVANTE</code> and team of the demo.</p>
<pre><code>${tokenCommand}</code></pre>
<h2 id="endpoints">Endpoints</h2>
<ul class="codes">
${endpointRows(down, markets)}</ul>
${Object.entries(kinds).map(([kind, title]) => pagesOf(kind, title, down, pages))}`,
  })

/** The page in which requests can be tried; all that it loads lies below `folder`, the relative link to its own. */
export const interactivePage = (folder: './' | 'interactive/', root: string): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try requests - Customer Account Import Service</title>
<meta name="description" content="Every endpoint with its fields; requests are sent from the browser.">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}swagger-ui.css">
<link rel="stylesheet" href="${folder}interactive.css">
<script src="${folder}swagger-ui-bundle.js" defer></script>
<script src="${folder}start.js" type="module"></script>
</head>
<body>
<nav aria-label="Breadcrumb"><ol><li><a href="${root}">Documentation</a></li><li aria-current="page">Try requests</li></ol></nav>
<main>
<header>
<h1>Try requests</h1>
<p>Requests go to this service and do what they say. <a href="${root}#token">Get a token</a>, then put it in by <q>Authorize</q>.
The <a href="${root}#endpoints">pages of the endpoints</a> say the same without a script.</p>
<noscript><p>This page needs JavaScript.</p></noscript>
</header>
<div id="swagger-ui"></div>
</main>
<footer>Swagger UI, <a href="${folder}LICENSE">Apache License 2.0</a>, <a href="${folder}NOTICE">notice</a>,
<a href="${folder}swagger-ui-bundle.js.LICENSE.txt">licences of what it contains</a></footer>
</body>
</html>
`.text

/** The page in place of an unknown page. `root`: the relative link to the first page. */
export const noPage = (root: string): string =>
  page({
    title: 'No such page',
    description: 'There is no page of this name.',
    root,
    above: [{ href: root, title: 'Documentation' }],
    body: html`<h1>No such page</h1>
<p class="lead">There is no page of this name. <a href="${root}">All pages</a></p>`,
  })
