import { catalogueOf, type MarketPack } from '@account-import/core'
import { html, type Html, noHtml } from '@account-import/http-contract'
import type { JsonSchema } from '@account-import/http-contract/openapi'
import { shownDetail } from './code-facts.js'
import {
  type AddressedOperation,
  componentsOf,
  curlCommand,
  operationsOf,
  type Response,
  tokenCommand,
} from './operations.js'
import { page } from './page.js'
import { namesShown, schemaTables, tableHtml } from './schema-table.js'

type Place = Readonly<{ root: string; markets: readonly MarketPack[] }>

const typeIn = (schema: JsonSchema): string => {
  const { type = 'string', minimum, maximum } = schema
  return `${String(type)}${typeof minimum === 'number' && typeof maximum === 'number' ? `, ${minimum} to ${maximum}` : ''}`
}

const parameters = ({ parameters: all = [] }: AddressedOperation): Html =>
  all.length === 0
    ? noHtml
    : html`<h2 id="parameters">Parameters</h2>
${tableHtml(
  'Parameters',
  ['Name', 'In', 'Type', 'Required', 'Notes'],
  all.map(
    ({ name, in: place, schema, required, description = '' }) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${place}</td><td>${typeIn(schema)}</td><td>${
        required ? 'yes' : 'no'
      }</td><td>${description}</td></tr>\n`,
  ),
)}`

/** The type and schema of a body; it has one of each, but that GraphQL has two types. */
const contentOf = ({
  content,
}: Readonly<{ content?: Response['content'] }>): readonly [string, JsonSchema] => {
  const [[type, { schema }] = ['none', { schema: {} }]] = Object.entries(content ?? {})
  return [type, schema]
}

const body = ({ requestBody }: AddressedOperation, { root, markets }: Place): Html => {
  if (requestBody === undefined) return noHtml
  const [type, schema] = contentOf(requestBody)
  const lines = type.endsWith('ndjson') ? ', one object a line' : ''
  return html`<h2 id="body">Body</h2>
<p><code>${type}</code>${lines}. Fields that are not known are accepted, dropped and reported as a warning; what is checked
besides stands in <a href="${root}reference/fields/">fields</a> and <a href="${root}reference/rules/">rules</a>.</p>
${schemaTables('the body', schema, componentsOf(markets))}`
}

const codesIn = (schema: unknown): readonly string[] => {
  const { properties, anyOf = [] } = schema as Readonly<{
    properties?: Readonly<{ code?: Readonly<{ enum?: readonly string[] }> }>
    anyOf?: readonly unknown[]
  }>
  return [...(properties?.code?.enum ?? []), ...anyOf.flatMap(codesIn)]
}

const refusals = ({ responses }: AddressedOperation, { root, markets }: Place): Html => {
  const catalogue = catalogueOf(markets)
  const rows = Object.entries(responses).flatMap(([status, response]) =>
    codesIn(contentOf(response)[1]).map((code) => {
      const entry = catalogue[code]
      const link = html`<a href="${root}errors/${code}/"><code>${code}</code></a>`
      return html`<tr><td>${status}</td><th scope="row">${link}</th><td>${entry ? shownDetail(entry) : ''}</td></tr>\n`
    }),
  )
  return html`<h2 id="refusals">Refusals</h2>
<p>Their body has <code>detail</code>, <code>code</code> and <code>errors</code>, which names each field with a
<a href="${root}errors/">code</a> of its own.</p>
${tableHtml('Refusals', ['Status', 'Code', 'What it says'], rows)}`
}

const answers = (operation: AddressedOperation, { markets }: Place): Html => {
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
  const first = successes[0]
  if (first === undefined) return noHtml
  const [type, schema] = contentOf(first[1])
  const components = componentsOf(markets)
  const request = operation.requestBody && contentOf(operation.requestBody)[1]
  const shown = request === undefined ? new Set<string>() : namesShown(request, components)
  return html`<h2 id="answer">Answer</h2>
<p>${successes.map(([status]) => status).join(' or ')}, <code>${type}</code>.</p>
${schemaTables('the answer', schema, components, shown)}`
}

const example = (operation: AddressedOperation, { root }: Place): Html => {
  const command = operation.path.endsWith('/graphql/') ? tokenCommand : curlCommand(operation)
  const before =
    command === tokenCommand
      ? html`Put in the address of this service, and the file that holds the API key.`
      : html`In a shell in which <a href="${root}#token">a token was taken</a>.`
  return html`<h2 id="example">Example</h2>
<p>${before}</p>
<pre><code>${command}</code></pre>`
}

/** The page of an operation, undefined if there is none of that name. `root`: the relative link to the first page. */
export const endpointPage = (
  name: string,
  root: string,
  markets: readonly MarketPack[],
): string | undefined => {
  const operation = operationsOf(markets).find((each) => each.name === name)
  if (operation === undefined) return undefined
  const place = { root, markets }
  return page({
    title: name,
    description: operation.summary,
    root,
    above: [
      { href: root, title: 'Documentation' },
      { href: `${root}#endpoints`, title: 'Endpoints' },
    ],
    body: html`<h1><code>${operation.method} ${operation.path}</code></h1>
<p class="lead">${operation.summary}</p>
<p>${operation.description}</p>
${example(operation, place)}
${parameters(operation)}
${body(operation, place)}
${answers(operation, place)}
${refusals(operation, place)}`,
  })
}
