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

/**
 * A bar of parts in their tones, which leaves room for the rest where their whole is known to be larger. Hidden from screen
 * readers: the numbers are beside it.
 */
export const stackedBar = (parts: readonly Readonly<{ tone: string; count: number }>[], whole = 1): Html => {
  let all = 0
  const rects = parts.map(({ tone, count }) => {
    const x = all
    // Counts are read one after another while a run goes on, so a difference can be below zero.
    const width = Math.max(0, count)
    all += width
    return html`<rect class="${tone}" x="${x}" width="${width}" height="1" />`
  })
  return html`<svg class="bar" viewBox="0 0 ${Math.max(whole, all)} 1" preserveAspectRatio="none" aria-hidden="true">${rects}</svg>`
}
