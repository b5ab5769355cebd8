import type { Account } from '@account-import/core'
import type { Row } from '../rows/row.js'
import { accountTables } from '../rows/account-tables.js'
import type { Session } from '../session/session.js'
import { insertRows } from '../statements/insert-rows.js'

/** Creates the accounts whole: for each table the rows of all accounts together. */
export const createAccounts = (session: Session, accounts: readonly Account[]): Promise<void> =>
  session.plainly(async (db) => {
    const byTable = new Map<string, Row[]>()
    for (const { table, rows } of accounts.flatMap(accountTables)) {
      const known = byTable.get(table)
      if (known === undefined) byTable.set(table, [...rows])
      else known.push(...rows)
    }
    for (const [table, rows] of byTable) await insertRows(db, session.dialect, table, rows)
  })
