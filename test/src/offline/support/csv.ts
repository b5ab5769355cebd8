/** Rows of CSV by RFC 4180; for tests only, so it reads only well-formed text. */
export const csvOf = (text: string): readonly (readonly string[])[] => {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  const rows: string[][] = [[]]
  let at = 0
  for (const match of text.matchAll(cell)) {
    if (match.index !== at) throw new Error(`not well formed at ${at}`)
    at += match[0].length
    rows.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === '\r\n' && at < text.length) rows.push([])
  }
  if (at !== text.length) throw new Error(`not well formed at ${at}`)
  return rows
}
