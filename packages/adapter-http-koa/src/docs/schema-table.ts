import { html, type Html, noHtml } from '@account-import/http-contract'
import type { JsonSchema } from '@account-import/http-contract/openapi'

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
export const tableHtml = (label: string, heads: readonly string[], rows: readonly Html[]): Html =>
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
export const schemaTables = (
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
export const namesShown = (schema: JsonSchema, components: Components): ReadonlySet<string> =>
  reached(schema, components)
