import { connectSql } from '@account-import/adapter-sql'
import { once } from '../../support/once.js'

/** Keeps everybody from writing imports; gives what lets them go on. */
export const holdWrites = async (url: string): Promise<() => Promise<void>> => {
  const knex = connectSql(url)
  const isMysql = url.startsWith('mysql:')
  const letGo = once()
  let end: Promise<unknown> = Promise.resolve()
  await new Promise<void>((held, failed) => {
    // On SQLite a transaction has the one write lock from its beginning.
    end = knex
      .transaction(async (trx) => {
        if (isMysql) await trx.raw('LOCK TABLES account_imports WRITE')
        held()
        await letGo.happened
        if (isMysql) await trx.raw('UNLOCK TABLES')
      })
      .catch(failed)
  })
  return async () => {
    letGo.happen()
    await end
    await knex.destroy()
  }
}
