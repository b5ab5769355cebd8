import { readFileSync, writeFileSync } from 'node:fs'

const page = new URL('../../../docs/reference/performance.md', import.meta.url)

/** Puts the text between the marks of this name in the page on performance; throws if the page has none. */
export const saveTable = (name: string, text: string): void => {
  const [begin, end] = [`<!-- ${name} begins -->`, `<!-- ${name} ends -->`]
  const old = readFileSync(page, 'utf8')
  const [from, to] = [old.indexOf(begin), old.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The page on performance has no place for ${name}`)
  writeFileSync(page, `${old.slice(0, from)}${begin}\n\n${text}\n\n${old.slice(to)}`)
}
