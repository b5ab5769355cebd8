import { randomUUID } from 'node:crypto'
import { createConnection } from 'mysql2/promise'

/** A server on which tests make databases of their own. */
export type DatabaseServer = Readonly<{
  /** Makes an empty database of a new name; gives its address. */
  createDatabase(): Promise<string>
  /** Removes what was made. */
  stop(): Promise<void>
}>

const variable = 'TEST_MYSQL_URL'

const run = async (url: string, sql: string): Promise<void> => {
  const connection = await createConnection({ uri: url })
  try {
    await connection.query(sql)
  } finally {
    await connection.end()
  }
}

/**
 * The server that `TEST_MYSQL_URL=mysql://user:password@host:port` names, for tests that say something about any
 * MySQL; undefined where it is not set. Its user has to be allowed to make databases.
 */
export const givenServer = (): DatabaseServer | undefined => {
  const url = process.env[variable]?.replace(/\/$/, '')
  if (url === undefined || url === '') return undefined
  const made: string[] = []
  return {
    createDatabase: async () => {
      const name = `account_import_test_${randomUUID().slice(0, 8)}`
      await run(url, `CREATE DATABASE ${name}`)
      made.push(name)
      return `${url}/${name}`
    },
    stop: async () => {
      for (const name of made.splice(0)) await run(url, `DROP DATABASE ${name}`)
    },
  }
}
