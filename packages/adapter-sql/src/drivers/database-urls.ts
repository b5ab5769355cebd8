import { mysqlUrlFault } from './mysql-urls.js'
import { isSqliteUrl, sqliteUrlFault } from './sqlite-urls.js'

/**
 * What is wrong with the URL of a database, in words that follow the name of a variable; of it only the names of unknown
 * parameters are quoted. Undefined where `connectSql` takes it.
 */
export const databaseUrlFault = (text: string): string | undefined =>
  isSqliteUrl(text) ? sqliteUrlFault(text) : mysqlUrlFault(text)
