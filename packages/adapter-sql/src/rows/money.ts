import type { DecimalText } from '@account-import/core'
import { toMoney } from '@account-import/core/adapter-kit'

/** What a DECIMAL column gives: text on MySQL, a number (exact to 15 digits) on SQLite. */
export type SqlDecimal = string | number

export const fromOptionalMoney = (value: SqlDecimal | null): DecimalText | null =>
  value === null ? null : toMoney(value)
