import type { LockedAccount } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { unlessDuplicate } from '../failures/duplicate.js'
import { LostRace } from '../failures/lost-race.js'
import { accountRowKey, type AccountRowKey } from '../rows/account-row-key.js'
import type { Row } from '../rows/row.js'
import { encryptedDetailsRow, hideRows } from '../rows/hidden-values.js'
import { tables } from '../rows/tables.js'
import type { Session } from '../session/session.js'
import { writingDataKey } from './account-data-key.js'
import { accountKeyColumns } from './account-key.js'
import { countAddition } from './count-addition.js'
import { chunks, maxStatementBytes } from './chunks.js'
import { literalPlaceholders } from './literal-placeholders.js'
import { nextOrdinal } from './next-ordinal.js'
import type { Statements } from '../session/statements.js'

const isKeyColumn = (name: string): boolean => (accountKeyColumns as readonly string[]).includes(name)

const statements = new Map<string, string>()

const insertText = (dialect: SqlDialect, table: string, columns: readonly string[]): string => {
  const name = `${dialect.schema.name}/${table}`
  const known = statements.get(name)
  if (known !== undefined) return known
  const { column, from } = dialect.jsonRows
  const text =
    `INSERT INTO ${table} (${[...accountKeyColumns, ...columns].join(', ')}) ` +
    `SELECT ?, ?, ?, ${columns.map(column).join(', ')} FROM ${from(columns)}`
  statements.set(name, text)
  return text
}

/** Inserts rows as they are. */
const insertAll = async (
  db: Statements,
  dialect: SqlDialect,
  table: string,
  key: AccountRowKey,
  rows: readonly Row[],
): Promise<void> => {
  const columns = Object.keys(rows[0] ?? {}).filter((name) => !isKeyColumn(name))
  const text = insertText(dialect, table, columns)
  const account = accountKeyColumns.map((name) => key[name])
  const { absent } = dialect.jsonRows
  const texts = rows.map((row) => JSON.stringify(columns.map((column) => row[column] ?? absent)))
  const pieces = chunks(texts, {
    maxItems: rows.length,
    maxBytes: maxStatementBytes,
    bytesOf: (row) => row.length * 3,
  })
  for (const piece of pieces) {
    const insert = async (): Promise<boolean> => {
      await db.raw(text, [...account, `[${piece.join(',')}]`])
      return true
    }
    if (!(await unlessDuplicate(insert, false))) throw new LostRace()
  }
}

/**
 * Inserts rows of one locked account in one statement for every 4 MiB, however many there are; where they are encrypted, what
 * they hide in one more. All rows of a table have the same columns. Throws `LostRace` where such a row is there already.
 */
export const insertAccountRows = async (
  db: Statements,
  { dialect, dataKeys }: Session,
  table: string,
  account: LockedAccount,
  rows: readonly Row[],
): Promise<void> => {
  if (rows.length === 0) return
  await countAddition(db, account)
  const key = accountRowKey(account)
  const writing = await writingDataKey(db, dataKeys, account)
  if (writing === undefined) return insertAll(db, dialect, table, key, rows)
  const { dataKey, isNew } = writing
  const literals = isNew ? await literalPlaceholders(db, account) : {}
  const { rows: kept, hidden } = hideRows(dataKey, { table, rows })
  await insertAll(db, dialect, table, key, kept)
  const details = encryptedDetailsRow(dataKey, key, await nextOrdinal(db, tables.encryptedDetails, key), {
    ...literals,
    ...hidden,
  })
  await insertAll(db, dialect, tables.encryptedDetails, key, [details])
}
