import type { Opened } from '../../sql/support/databases.js'

type Knex = Opened['knex']

const namesOf = async (knex: Knex, url: string): Promise<readonly string[]> => {
  if (url.startsWith('sqlite:'))
    return (await knex('sqlite_master').where({ type: 'table' }).pluck('name')) as readonly string[]
  const [rows] = (await knex.raw(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
  )) as [readonly { name: string }[]]
  return rows.map(({ name }) => name)
}

/** Every row of every table of a database, as a text for each table. */
export const allRows = async (knex: Knex, url: string): Promise<ReadonlyMap<string, string>> => {
  const all = new Map<string, string>()
  for (const name of await namesOf(knex, url)) all.set(name, JSON.stringify(await knex(name).select('*')))
  return all
}
