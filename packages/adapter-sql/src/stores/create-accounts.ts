import type { Account } from '@account-import/core'
import type { DataKeys } from '../encryption/data-keys.js'
import { accountRowKey } from '../rows/account-row-key.js'
import { accountTables, type TableRows } from '../rows/account-tables.js'
import { encryptedDetailsRow, hideRows, type HiddenValues } from '../rows/hidden-values.js'
import type { Row } from '../rows/row.js'
import { tables } from '../rows/tables.js'
import type { Session } from '../session/session.js'
import { insertRows } from '../statements/insert-rows.js'

/** All rows of an account; where they are encrypted, with its data key, and with what they hide as one text. */
const keptTables = async (dataKeys: DataKeys, account: Account): Promise<readonly TableRows[]> => {
  const written = accountTables(account)
  const dataKey = await dataKeys.make()
  if (dataKey === undefined) return written
  const hidden: HiddenValues[] = []
  const kept = written.map((each): TableRows => {
    const { rows, hidden: values } = hideRows(dataKey, each)
    hidden.push(values)
    const { table } = each
    return {
      table,
      rows: table === tables.accounts ? rows.map((row) => ({ ...row, data_key: dataKey.column })) : rows,
    }
  })
  const details = encryptedDetailsRow(
    dataKey,
    accountRowKey(account),
    0,
    Object.assign({}, ...hidden) as HiddenValues,
  )
  return [...kept, { table: tables.encryptedDetails, rows: [details] }]
}

/** Creates the accounts whole: for each table the rows of all accounts together. */
export const createAccounts = (session: Session, accounts: readonly Account[]): Promise<void> =>
  session.plainly(async (db) => {
    const byTable = new Map<string, Row[]>()
    const written = await Promise.all(accounts.map((account) => keptTables(session.dataKeys, account)))
    for (const { table, rows } of written.flat()) {
      const known = byTable.get(table)
      if (known === undefined) byTable.set(table, [...rows])
      else known.push(...rows)
    }
    for (const [table, rows] of byTable) await insertRows(db, session.dialect, table, rows)
  })
