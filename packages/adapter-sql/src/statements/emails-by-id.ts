import type { Knex } from 'knex'
import type { SqlDialect } from '../connect/dialect-of.js'
import { tables } from '../tables.js'

const index = 'customer_emails_by_id'

/**
 * The table of e-mails, found by their ids. Databases guess that a state and a time narrow it down more, and then look
 * at everything that is due in order to change the few that are named.
 */
export const emailsById = (db: Knex, dialect: SqlDialect): Knex.Raw =>
  db.raw(dialect === 'mysql' ? '?? FORCE INDEX (??)' : '?? INDEXED BY ??', [tables.customerEmails, index])
