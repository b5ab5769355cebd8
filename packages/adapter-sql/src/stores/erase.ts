import type { AccountKey, Actor, Erasure, Instant } from '@account-import/core'
import { erasedDetails, isInProgress, partsOf, removedDetails } from '@account-import/core/adapter-kit'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { accountImportOf, importColumns, type ReadImportRow } from '../rows/account-imports.js'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import { endOfLine, withLine } from '../rows/unsealed-line.js'
import type { Session } from '../session/session.js'
import type { Statements } from '../session/statements.js'
import { selectRows } from '../statements/select-rows.js'
import { updateRows } from '../statements/update-rows.js'
import { createdItemRows } from '../rows/account-items.js'
import { keptDocument } from '../rows/accounts.js'
import { importKeyRow } from '../rows/import-key.js'
import { insertRows } from '../statements/insert-rows.js'
import { readAccount } from './accounts.js'
import { ofImport, importKeyValues } from '../statements/of-import.js'

const eraseAccountRow = `UPDATE ${tables.accounts} SET details = ?, data_key = NULL, erased_at = ? WHERE ${ofImport}`

/** Before all else: MySQL assigns from left to right, and the line says which version was erased. */
const recorded = `unsealed = ${withLine(tables.accountImports, '?')}, unsealed_since = COALESCE(unsealed_since, ?)`

const eraseCreated =
  `UPDATE ${tables.accountImports} SET ${recorded}, payload = NULL, data_key = NULL, payload_removed_at = COALESCE(payload_removed_at, ?), ` +
  `erased_at = ? WHERE ${ofImport}`

const eraseStaged =
  `UPDATE ${tables.accountImports} SET ${recorded}, payload = NULL, data_key = NULL, erased_at = ?, staged_version = 0, first_staged_at = NULL, ` +
  "staged_at = NULL, staging_id = NULL, state = 'skipped', skipped = 1, claim_token = NULL, " +
  `claim_expires_at = NULL, holds_slot = 0 WHERE ${ofImport}`

type Locked = ReadImportRow & Readonly<{ has_payload: number }>

const lockImport = async (
  db: Statements,
  { forUpdate }: SqlDialect,
  key: AccountKey,
): Promise<Locked | undefined> => {
  const columns = `${importColumns.join(', ')}, CASE WHEN payload IS NULL THEN 0 ELSE 1 END AS has_payload`
  const text = `SELECT ${columns} FROM ${tables.accountImports} WHERE ${ofImport} ${forUpdate}`
  return (await selectRows<Locked>(db, text, importKeyValues(key)))[0]
}

type EmailRow = Readonly<{ claim_token: string | null; due_at: string | null }>

const isBeingSent = async (
  db: Statements,
  { forUpdate }: SqlDialect,
  key: AccountKey,
  at: string,
): Promise<boolean> => {
  const text = `SELECT claim_token FROM ${tables.customerEmails} WHERE ${ofImport} AND due_at > ? ${forUpdate}`
  const [row] = await selectRows<EmailRow>(db, text, [...importKeyValues(key), at])
  return row !== undefined && row.claim_token !== null
}

/**
 * Puts what is left of an account in its place, and says how much was removed. Its row is locked as whoever adds to it locks it.
 * Throws a `KeyRingError` or a `DecryptionError` where it cannot be read: then nobody knows what is to be left of it.
 */
const eraseAccount = async (
  db: Statements,
  { dialect, dataKeys }: Session,
  key: AccountKey,
  at: string,
): Promise<Readonly<{ rows: number; transactions: number }>> => {
  const account = await readAccount(db, dataKeys, key, dialect.forUpdate)
  if (account === undefined) return { rows: 0, transactions: 0 }
  const { document, items } = partsOf(erasedDetails(account.details))
  const row = importKeyRow(key)
  await updateRows(db, eraseAccountRow, [keptDocument(undefined, row, document), at, ...importKeyValues(key)])
  await updateRows(db, `DELETE FROM ${tables.accountItems} WHERE ${ofImport}`, importKeyValues(key))
  await insertRows(db, dialect, tables.accountItems, createdItemRows(row, items, undefined))
  return removedDetails(account.details)
}

const eraseAnswers = (db: Statements, key: AccountKey): Promise<number> =>
  updateRows(db, `DELETE FROM ${tables.keptAnswers} WHERE ${ofImport}`, importKeyValues(key))

/** Erases a pair that has no import: it can only have answers. */
const eraseNeverStaged = async (db: Statements, key: AccountKey): Promise<Erasure> => {
  const answers = await eraseAnswers(db, key)
  return answers === 0
    ? { _tag: 'unknown' }
    : { _tag: 'erased', removed: { payloads: 0, rows: 0, transactions: 0, emails: 0, answers } }
}

const eraseLocked = async (
  db: Statements,
  session: Session,
  key: AccountKey,
  row: Locked,
  at: Instant,
  by: Actor | undefined,
): Promise<Erasure> => {
  const now = toSqlInstant(at)
  const record = [endOfLine({ at, what: 'erased', by }), now]
  const name = importKeyValues(key)
  const removed = await eraseAccount(db, session, key, now)
  if (row.platform_account_number === null) await updateRows(db, eraseStaged, [...record, now, ...name])
  else await updateRows(db, eraseCreated, [...record, now, now, ...name])
  const emails = await updateRows(db, `DELETE FROM ${tables.customerEmails} WHERE ${ofImport}`, name)
  const answers = await eraseAnswers(db, key)
  return { _tag: 'erased', removed: { payloads: row.has_payload, ...removed, emails, answers } }
}

/**
 * One transaction: what is removed together is gone together. It locks the import first and then the account, as whoever creates
 * it does.
 */
export const erase = (
  session: Session,
  key: AccountKey,
  at: Instant,
  by: Actor | undefined,
): Promise<Erasure> =>
  session.transaction(async (db) => {
    const { dialect } = session
    const row = await lockImport(db, dialect, key)
    if (row === undefined) return eraseNeverStaged(db, key)
    if (isInProgress(accountImportOf(row), at)) return { _tag: 'in_progress' }
    if (await isBeingSent(db, dialect, key, toSqlInstant(at))) return { _tag: 'email_being_sent' }
    return eraseLocked(db, session, key, row, at, by)
  })
