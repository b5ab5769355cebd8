import { html, type Html, noHtml } from './html.js'

/** A column: `num` has right-aligned numbers; `share` has their bars, and no name. */
export type Column = readonly [name: string, kind?: 'num' | 'share']

const classOf = (kind: Column[1]): Html => (kind === undefined ? noHtml : html` class="${kind}"`)

/** A table whose first column names its rows. */
export const dataTable = (
  columns: readonly Column[],
  rows: readonly (readonly (string | Html)[])[],
  caption?: string,
): Html =>
  html`<table>
    ${caption === undefined ? noHtml : html`<caption>${caption}</caption> `}<thead>
      <tr>
        ${columns.map(([name, kind]) => (name === '' ? html`<td${classOf(kind)}></td> ` : html`<th scope="col"${classOf(kind)}>${name}</th> `))}
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
