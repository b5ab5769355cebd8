import { connectSql, migrate } from '@account-import/adapter-sql'
import type { Postgresql } from '../../servers/index.js'

/** Makes freshly migrated databases of a PostgreSQL server: copies of one. */
export const clonedDatabases = (server: () => Postgresql): (() => Promise<string>) => {
  const makePattern = async (): Promise<string> => {
    const url = await server().createDatabase()
    const knex = connectSql(url, { maxConnections: 1 })
    await migrate(knex)
    await knex.destroy()
    return new URL(url).pathname.slice(1)
  }
  let pattern: Promise<string> | undefined
  return async () => server().createDatabase(await (pattern ??= makePattern()))
}
