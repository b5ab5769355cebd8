import {
  accountPayload,
  type Fields,
  html,
  type Html,
  List,
  meaningOf,
  noHtml,
  type Reader,
  Refined,
  Struct,
} from '@account-import/core/adapter-kit'
import { documentation } from '../../documentation.js'

/** A number with its name. */
export const tile = (tone: string, name: string, value: string, more: string): Html =>
  html`<div class="tile ${tone}">
    <dt>${name}</dt>
    <dd>${value}<small>${more}</small></dd>
  </div> `

export type Fact = readonly [name: string, value: string | Html]

/** Names and values under each other. */
export const factList = (facts: readonly Fact[]): Html =>
  html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd> `,
    )}
  </dl>`

/** A column: `num` has numbers, which stand to the right; `bar` has no name. */
type Column = readonly [name: string, kind?: 'num' | 'bar']

const classOf = (kind: Column[1]): Html => (kind === undefined ? noHtml : html` class="${kind}"`)

/** A table whose first column names its rows. `look` is a class of the styles. */
export const dataTable = (
  columns: readonly Column[],
  rows: readonly (readonly (string | Html)[])[],
  { caption, look }: Readonly<{ caption?: string; look?: string }> = {},
): Html =>
  html`<table${look === undefined ? noHtml : html` class="${look}"`}>
    ${
      caption === undefined
        ? noHtml
        : html`<caption>
            ${caption}
          </caption> `
    }<thead>
      <tr>
        ${columns.map(([name, kind]) => (kind === 'bar' ? html`<td></td> ` : html`<th scope="col"${classOf(kind)}>${name}</th> `))}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name = '', ...cells]) =>
          html`<tr>
            <th scope="row">${name}</th>
            ${cells.map((cell, at) => html`<td${classOf(columns[at + 1]?.[1])}>${cell}</td> `)}
          </tr> `,
      )}
    </tbody>
  </table>`

/** The object that a codec reads, or that the items of its list are; undefined where it reads a value. */
const structOf = (codec: Reader<unknown>): Struct<Fields> | undefined => {
  if (codec instanceof Struct) return codec as Struct<Fields>
  if (codec instanceof List) return structOf(codec.item as Reader<unknown>)
  return codec instanceof Refined ? structOf(codec.base as Reader<unknown>) : undefined
}

/** The table in which a path such as `customers[].email` ends; undefined where the payload has no such field. */
const tableOf = (field: string): Struct<Fields> | undefined => {
  let table = structOf(accountPayload)
  for (const name of field === '' ? [] : field.replaceAll('[]', '').split('.')) {
    const codec = table?.fields[name]?.codec
    if (codec === undefined) return undefined
    table = structOf(codec) ?? table
  }
  return table
}

/** Where the documentation shows the table that a field stands in; undefined where the payload has no such field. */
const fieldPage = (field: string): string | undefined => {
  const table = tableOf(field)
  return table && `${documentation}/reference/fields.md#${table.name.toLowerCase().replaceAll(' ', '-')}`
}

/** The meaning of the field that a path ends in; empty for the account itself and for what is no field. */
export const meaningText = (field: string): string => {
  const path = field.replaceAll('[]', '').split('.')
  const name = path.pop() ?? ''
  const table = tableOf(path.join('.'))
  return table !== undefined && Object.hasOwn(table.fields, name) ? meaningOf(table, name).text : ''
}

/** A code or path that may be broken after its dots and underscores. */
export const breakable = (name: string): Html =>
  html`${name.split(/(?<=[._])/).map((part, at) => (at === 0 ? html`${part}` : html`<wbr />${part}`))}`

/** The path of a field, with a link to its documentation; the empty one is the account itself. */
export const fieldText = (field: string): Html => {
  const text = field === '' ? html`<span>the account itself</span>` : html`<code>${breakable(field)}</code>`
  const page = fieldPage(field)
  return page === undefined ? text : html`<a href="${page}">${text}</a>`
}
