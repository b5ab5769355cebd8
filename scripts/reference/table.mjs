/** Angle brackets are HTML to Markdown, except in code. */
const withoutHtml = (text) => (text.includes('`') ? text : text.replaceAll('<', '\\<'))
const cell = (text) => withoutHtml(String(text)).replaceAll('|', '\\|').replaceAll('\n', ' ')
const row = (cells) => `| ${cells.map(cell).join(' | ')} |`

/** A Markdown table; cells are escaped. */
export const table = (header, rows) =>
  [row(header), `|${header.map(() => '---').join('|')}|`, ...rows.map(row)].join('\n')

export const code = (text) => `\`${text}\``
