import { mysqlUrlFault } from './mysql-urls.js'
import { isSqliteUrl, sqliteUrlFault } from './sqlite-urls.js'

/**
 * The fault in the URL of a database, in words that follow the name of a variable. It quotes nothing of the URL but the names
 * of unknown parameters. Undefined where `connectSql` takes it.
 */
export const databaseUrlFault = (text: string): string | undefined =>
  isSqliteUrl(text) ? sqliteUrlFault(text) : mysqlUrlFault(text)
