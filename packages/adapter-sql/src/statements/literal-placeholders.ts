import type { LockedAccount } from '@account-import/core'
import { hiddenName, placeholder, type HiddenValues } from '../rows/hidden-values.js'
import { personalColumns } from '../rows/personal-columns.js'
import type { Statements } from '../session/statements.js'
import { accountKeyValues, ofAccount } from './account-key.js'
import { selectRows } from './select-rows.js'

type AnyRow = Readonly<Record<string, unknown>>

const literalsText = (table: string, columns: readonly string[]): string =>
  `SELECT t.* FROM ${table} AS t WHERE ${ofAccount('t')} AND (${columns.map((column) => `t.${column} = ?`).join(' OR ')})`

const literalsOf = (columns: readonly string[], row: AnyRow): Readonly<Record<string, string>> =>
  Object.fromEntries(
    columns.filter((column) => row[column] === placeholder).map((column) => [column, placeholder]),
  )

/**
 * What was sent to be kept as it is, and is the text that stands in the place of hidden values. To be asked for when an account gets
 * its data key, and to be hidden then: later nobody could tell such a value from one whose hidden value is lost.
 */
export const literalPlaceholders = async (db: Statements, account: LockedAccount): Promise<HiddenValues> => {
  const found: Record<string, Readonly<Record<string, string>>> = {}
  for (const [table, columns] of personalColumns) {
    const bindings = [...accountKeyValues(account), ...columns.map(() => placeholder)]
    for (const row of await selectRows<AnyRow>(db, literalsText(table, columns), bindings))
      found[hiddenName(table, row)] = literalsOf(columns, row)
  }
  return found
}
