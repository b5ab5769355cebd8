import { catalogueOf, type MarketPack } from '@account-import/core'
import { type Html, html, noHtml } from '@account-import/http-contract'
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

type Components = Readonly<Record<string, JsonSchema>>

/** The keywords that are shown. */
type Shown = Readonly<{
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly string[]
  anyOf?: readonly Shown[]
  items?: Shown
  properties?: Readonly<Record<string, Shown>>
  required?: readonly string[]
  description?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}>

const refOf = ({ $ref }: Shown): string | undefined => $ref?.slice($ref.lastIndexOf('/') + 1)

/** More values than these are counted, not listed. */
const mostValues = 25

const bounds = ({ minLength, maxLength, minimum, maximum }: Shown): string =>
  [
    minLength === undefined || minLength < 2 ? '' : `, at least ${minLength} characters`,
    maxLength === undefined ? '' : `, at most ${maxLength} characters`,
    minimum === undefined || maximum === undefined ? '' : `, ${minimum} to ${maximum}`,
  ].join('')

const joined = (parts: readonly Html[], between: string): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : html`${between}${part}`))}`

const typeOf = (schema: Shown, hasTable: (name: string) => boolean): Html => {
  const ref = refOf(schema)
  if (ref !== undefined)
    return hasTable(ref) ? html`<a href="#${ref}">${ref}</a>` : html`${ref.endsWith('Code') ? 'code' : ref}`
  if (schema.enum !== undefined)
    return schema.enum.length > mostValues
      ? html`one of ${schema.enum.length} values`
      : joined(
          schema.enum.map((value) => html`<code>${value}</code>`),
          ', ',
        )
  if (schema.anyOf !== undefined)
    return joined(
      schema.anyOf.map((each) => typeOf(each, hasTable)),
      ' or ',
    )
  if (schema.items !== undefined) return html`list of ${typeOf(schema.items, hasTable)}`
  const { type = 'any JSON' } = schema
  return html`${typeof type === 'string' ? type : type.join(' or ')}${bounds(schema)}`
}

type Row = Readonly<{ name: string; schema: Shown; isRequired: boolean }>

/** The fields of an object, those of objects inside that have no name of their own as well, by their paths. */
const rowsOf = (schema: Shown, before = ''): readonly Row[] => {
  const inside = schema.items ?? schema
  const within = schema.items === undefined ? before : `${before}N.`
  return Object.entries(inside.properties ?? {}).flatMap(([field, each]) => {
    const name = within + field
    const row = { name, schema: each, isRequired: inside.required?.includes(field) ?? false }
    return [row, ...rowsOf(each, `${name}.`)]
  })
}

const rowHtml = ({ name, schema, isRequired }: Row, hasTable: (name: string) => boolean): Html =>
  html`<tr><th scope="row"><code>${name}</code></th><td>${typeOf(schema, hasTable)}</td><td>${
    isRequired ? 'yes' : 'no'
  }</td><td>${schema.description ?? ''}</td></tr>\n`

/** A table that scrolls in a box of its own, which the keyboard reaches. */
const tableHtml = (label: string, heads: readonly string[], rows: readonly Html[]): Html =>
  html`<div class="table" role="group" tabindex="0" aria-label="${label}"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>`

const fieldsTable = (label: string, schema: Shown, hasTable: (name: string) => boolean): Html => {
  const rows = rowsOf(schema)
  return rows.length === 0
    ? html`<p>${typeOf(schema, hasTable)}</p>`
    : tableHtml(
        `Fields of ${label}`,
        ['Field', 'Type', 'Required', 'Notes'],
        rows.map((row) => rowHtml(row, hasTable)),
      )
}

const namesIn = (schema: Shown): readonly string[] => {
  const ref = refOf(schema)
  const inside = [schema.items, ...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})]
  return [...(ref === undefined ? [] : [ref]), ...inside.flatMap((each) => (each ? namesIn(each) : []))]
}

const isObject = (schema: Shown | undefined): boolean => schema?.properties !== undefined

/** Every object with a name that is met from a schema on, each once, in that order. */
const reached = (schema: Shown, components: Components, known = new Set<string>()): ReadonlySet<string> => {
  for (const name of namesIn(schema))
    if (!known.has(name) && isObject(components[name])) {
      known.add(name)
      reached(components[name] as Shown, components, known)
    }
  return known
}

/**
 * The fields of a body: a table for it, unless it is an object with a name, and one for each object with a name inside.
 * `without`: those that the page shows elsewhere.
 */
const schemaTables = (
  label: string,
  schema: JsonSchema,
  components: Components,
  without: ReadonlySet<string> = new Set(),
): Html => {
  const names = reached(schema, components)
  const hasTable = (name: string): boolean => names.has(name)
  const own = refOf(schema) === undefined ? fieldsTable(label, schema, hasTable) : noHtml
  const others = [...names]
    .filter((name) => !without.has(name))
    .map(
      (name) =>
        html`<h3 id="${name}">${name}</h3>\n${fieldsTable(name, components[name] as Shown, hasTable)}\n`,
    )
  return html`${own}${others}`
}

/** The objects with names that a schema shows. */
const namesShown = (schema: JsonSchema, components: Components): ReadonlySet<string> =>
  reached(schema, components)

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
