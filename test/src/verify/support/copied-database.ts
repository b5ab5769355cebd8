import type { connectSql } from '@account-import/adapter-sql'
import { copyFile } from 'node:fs/promises'
import type { MariaDb } from '../../servers/index.js'

type Knex = ReturnType<typeof connectSql>

/** Returns the address of a copy of a database that is not written; `isAnew`: the last copy may have lost its keys. */
export type Copy = (isAnew: boolean) => Promise<string>

const nameOf = (url: string): string => new URL(url).pathname.slice(1)

/** A copy of a database of MariaDB, its keys too, which is filled again as long as its tables are whole. */
export const copyOfMariaDb = (server: MariaDb, knex: Knex, url: string): Copy => {
  const from = nameOf(url)
  let copy: string | undefined
  const tables = async (): Promise<readonly string[]> => {
    const [rows] = (await knex.raw(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ?',
      [from],
    )) as [readonly { name: string }[]]
    return rows.map(({ name }) => name)
  }
  return async (isAnew) => {
    const names = await tables()
    if (copy === undefined || isAnew) {
      copy = await server.createDatabase()
      for (const name of names) await knex.raw(`CREATE TABLE ${nameOf(copy)}.${name} LIKE ${from}.${name}`)
    }
    const to = nameOf(copy)
    await knex.transaction(async (trx) => {
      for (const name of names) {
        await trx.raw(`DELETE FROM ${to}.${name}`)
        await trx.raw(`INSERT INTO ${to}.${name} SELECT * FROM ${from}.${name}`)
      }
    })
    return copy
  }
}

/** Copies of a SQLite file. */
export const copyOfSqlite = (knex: Knex, url: string): Copy => {
  let count = 0
  return async () => {
    await knex.raw('PRAGMA wal_checkpoint(TRUNCATE)')
    const copy = `${url}-${count++}`
    await copyFile(url.slice('sqlite:'.length), copy.slice('sqlite:'.length))
    return copy
  }
}
