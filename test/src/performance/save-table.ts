import { readFileSync, writeFileSync } from 'node:fs'

/** The pages of docs/reference that hold figures. */
export type FiguresPage = 'performance' | 'fault-report' | 'hostile-input'

/** Puts the text between the marks of this name in the page; throws if the page has none. */
export const saveTable = (name: string, text: string, pageName: FiguresPage = 'performance'): void => {
  const page = new URL(`../../../docs/reference/${pageName}.md`, import.meta.url)
  const [begin, end] = [`<!-- ${name} begins -->`, `<!-- ${name} ends -->`]
  const old = readFileSync(page, 'utf8')
  const [from, to] = [old.indexOf(begin), old.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The page ${pageName} has no place for ${name}`)
  writeFileSync(page, `${old.slice(0, from)}${begin}\n\n${text}\n\n${old.slice(to)}`)
}
