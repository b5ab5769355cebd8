import { endpoints } from '../endpoints/all.js'
import { graphqlAddress } from '../endpoints/obtain-token.js'
import { html } from '../html.js'
import { page } from './page.js'

const rows = Object.values(endpoints).map(
  ({ method, path, summary }) => html`<li><code>${method} ${path}</code><span>${summary}</span></li>\n`,
)

/**
 * The first page of the documentation that the service itself serves. `down` is the beginning of relative links from
 * it: `./` if its address ends with a slash, else `docs/`.
 */
export const docsPage = (down: './' | 'docs/'): string =>
  page({
    title: 'Documentation',
    description: 'Documentation of the Customer Account Import Service.',
    above: [],
    body: html`<h1>Customer Account Import Service</h1>
<p class="lead">Validates, stages and creates customer accounts.</p>
<ul>
<li><a href="${down}errors/">Error codes</a>: what each one means, and how to fix it</li>
<li><a href="${down === './' ? '../' : './'}openapi.json">OpenAPI document</a> of the API, for tools and generators</li>
</ul>
<h2>Endpoints</h2>
<ul class="codes">
<li><code>${graphqlAddress.method} ${graphqlAddress.path}</code><span>Exchanges an API key for a token.</span></li>
${rows}</ul>`,
  })
