import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** The kinds of files of the market for which there is a mapping with a small sample. */
export const templateNames = [
  'datadis',
  'e-distribucion',
  'f5d',
  'i-de',
  'norma43',
  'p1d',
  'salesforce',
  'sips-electricity',
  'sips-gas',
  'som',
] as const

export const isTemplate = (name: string): boolean => (templateNames as readonly string[]).includes(name)

/** The folder of the mappings: beside the bundle, or in the sources. */
const folder = ['./templates/', '../../src/convert/templates/']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url))

const contentOf = (path: string): Promise<Buffer> => readFile(new URL(path, folder))

/** A mapping whose lines `-- include FILE` are replaced by the files that several mappings share. */
export const withIncluded = async (sql: string): Promise<string> => {
  const [line, file = ''] = /^-- include (.*)\n/m.exec(sql) ?? []
  if (line === undefined) return sql
  const included = (await contentOf(`shared/${file}`)).toString()
  return withIncluded(sql.replace(line, () => included))
}

/** The files of a template by name: its mapping, and samples of the files that the mapping declares. */
export const templateFiles = async (name: string): Promise<ReadonlyMap<string, Buffer>> => {
  const files = new Map<string, Buffer>()
  for (const file of await readdir(new URL(`${name}/`, folder)))
    files.set(file, await contentOf(`${name}/${file}`))
  const sql = await withIncluded(String(files.get('mapping.sql')))
  files.set('mapping.sql', Buffer.from(sql))
  if (!files.has('contracts.csv') && sql.includes('= contracts.csv'))
    files.set('contracts.csv', await contentOf('shared/contracts.csv'))
  return files
}
