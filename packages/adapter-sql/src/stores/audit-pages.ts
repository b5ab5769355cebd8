import type { AuditEntry, AuditFilter, SealedEntry } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { sealedEntryOf, unsealedEntryOf, type AuditLogRow, type UnsealedRow } from '../rows/audit-log.js'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { selectRows } from '../statements/select-rows.js'
import { isWanted } from '@account-import/core/adapter-kit'
import { entriesOfImport, unsealedOf, type UnsealedImport } from './unsealed-imports.js'
import { othersOf } from './unsealed-others.js'

type Condition = Readonly<{ text: string; value: string | undefined }>

const conditionsOf = ({
  importSupplier,
  externalAccountNumber,
  from,
  until,
}: AuditFilter): readonly Condition[] => [
  { text: 'import_supplier = ?', value: importSupplier },
  { text: 'external_account_number = ?', value: externalAccountNumber },
  { text: 'at >= ?', value: from && toSqlInstant(from) },
  { text: 'at < ?', value: until && toSqlInstant(until) },
]

/** Sealed entries, found by the account where one is named, by their numbers otherwise. */
export const sealedPage = async (
  db: Statements,
  dialect: SqlDialect,
  filter: AuditFilter,
  after: number,
  limit: number,
): Promise<readonly SealedEntry[]> => {
  const wanted = conditionsOf(filter).filter(({ value }) => value !== undefined)
  const isOfAccount = filter.importSupplier !== undefined && filter.externalAccountNumber !== undefined
  const rows = await selectRows<AuditLogRow>(
    db,
    `SELECT * FROM ${dialect.inOrderOf(tables.auditLog, isOfAccount ? 'audit_log_accounts' : 'PRIMARY')} ` +
      `WHERE organisation = ? AND sequence > ? ${wanted.map(({ text }) => `AND ${text} `).join('')}` +
      `ORDER BY sequence LIMIT ${limit}`,
    [filter.organisation, after, ...wanted.map(({ value }) => value ?? null)],
  )
  return rows.map(sealedEntryOf)
}

/** Entries of as many pages of rows as there are until `limit` are wanted. What is wanted is said by no statement alone. */
const wantedOf = async <Row>(
  filter: AuditFilter,
  limit: number,
  pageAfter: (last: Row | undefined) => Promise<readonly Row[]>,
  entriesIn: (row: Row) => readonly AuditEntry[],
): Promise<readonly AuditEntry[]> => {
  const found: AuditEntry[] = []
  let last: Row | undefined
  for (;;) {
    const rows = await pageAfter(last)
    found.push(...rows.flatMap(entriesIn).filter(isWanted(filter)))
    if (rows.length < limit || found.length >= limit) return found
    last = rows.at(-1)
  }
}

/** Entries that are not sealed yet: those of imports, and then the others. */
export const unsealedPage = async (
  db: Statements,
  dialect: SqlDialect,
  filter: AuditFilter,
  limit: number,
): Promise<readonly AuditEntry[]> => [
  ...(await wantedOf<UnsealedImport>(
    filter,
    limit,
    (last) => unsealedOf(db, dialect, filter, last, limit),
    entriesOfImport,
  )),
  ...(await wantedOf<UnsealedRow>(
    filter,
    limit,
    (last) => othersOf(db, filter, last, limit),
    (row) => [unsealedEntryOf(row)],
  )),
]
