import type { SqlDialect } from '../dialects/sql-dialect.js'
import { tables } from '../rows/tables.js'

/**
 * The table of e-mails, found by their ids. Databases guess that a state and a time narrow it down more, and then look
 * at everything that is due in order to change the few that are named.
 */
export const emailsById = (dialect: SqlDialect): string =>
  dialect.foundBy(tables.customerEmails, 'customer_emails_by_id')
