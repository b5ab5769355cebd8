import type { AccountRowKey } from '../rows/account-row-key.js'
import type { Statements } from '../session/statements.js'
import { accountKeyColumns, ofAccount } from './account-key.js'
import { selectRows } from './select-rows.js'

const lastText = (table: string): string =>
  `SELECT t.ordinal FROM ${table} AS t WHERE ${ofAccount('t')} ORDER BY t.ordinal DESC LIMIT 1`

/** The place after the last one in a list of a locked account; 0 in an empty one. */
export const nextOrdinal = async (db: Statements, table: string, key: AccountRowKey): Promise<number> => {
  const bindings = accountKeyColumns.map((name) => key[name])
  const [last] = await selectRows<Readonly<{ ordinal: number }>>(db, lastText(table), bindings)
  return last === undefined ? 0 : last.ordinal + 1
}
