import type { MarketPack } from '@account-import/core'
import { html, type Html } from '../html.js'
import { tokenCommand } from './curl.js'
import { operationsOf } from './operations.js'
import { page } from './page.js'
import { kinds, type SitePage } from './site-page.js'

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
