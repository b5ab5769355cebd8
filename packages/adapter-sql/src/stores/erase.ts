import type { AccountKey, Actor, Erasure, Instant } from '@account-import/core'
import { erasedText, isInProgress } from '@account-import/core/adapter-kit'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { accountImportOf, importColumns, type ReadImportRow } from '../rows/account-imports.js'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import { endOfLine, withLine } from '../rows/unsealed-line.js'
import type { Session } from '../session/session.js'
import type { Statements } from '../session/statements.js'
import { selectRows } from '../statements/select-rows.js'
import { updateRows } from '../statements/update-rows.js'
import { eraseTransactions } from './erase-transactions.js'
import { ofImport, importKeyValues } from '../statements/of-import.js'

/** Tables of which nothing is needed once the person is forgotten. */
const emptied = [
  tables.customers,
  tables.supplyAddresses,
  tables.supplyPoints,
  tables.agreements,
  tables.statements,
  tables.notes,
  tables.paymentSchedules,
  tables.paymentInstructions,
  tables.accountReferences,
  tables.accountMetadata,
]

const ofAccount = 'organisation = ? AND import_supplier = ? AND platform_account_number = ?'

const accountTexts = [
  'billing_name',
  'billing_address1',
  'billing_address2',
  'billing_address3',
  'billing_address4',
  'billing_address5',
  'billing_postcode',
  'sales_subchannel',
]

const eraseAccountRow =
  `UPDATE ${tables.accounts} SET ${accountTexts.map((column) => `${column} = NULL`).join(', ')}, ` +
  `data_key = NULL, sales_channel = '${erasedText}', erased_at = ? WHERE ${ofAccount}`

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

const accountNumbers = async (
  db: Statements,
  { forUpdate }: SqlDialect,
  key: AccountKey,
): Promise<readonly string[]> => {
  const text = `SELECT platform_account_number AS number FROM ${tables.accounts} WHERE ${ofImport} ${forUpdate}`
  const rows = await selectRows<Readonly<{ number: string }>>(db, text, importKeyValues(key))
  return rows.map(({ number }) => number)
}

/** The rows of an account, locked as whoever adds to it locks it. */
const eraseAccount = async (
  db: Statements,
  dialect: SqlDialect,
  { organisation, importSupplier }: AccountKey,
  number: string,
  at: string,
): Promise<Readonly<{ rows: number; transactions: number }>> => {
  const account = [organisation, importSupplier, number]
  await updateRows(db, eraseAccountRow, [at, ...account])
  await updateRows(db, `DELETE FROM ${tables.encryptedDetails} WHERE ${ofAccount}`, account)
  let rows = 0
  for (const table of emptied)
    rows += await updateRows(db, `DELETE FROM ${table} WHERE ${ofAccount}`, account)
  return { rows, transactions: await eraseTransactions(db, dialect, account) }
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
  dialect: SqlDialect,
  key: AccountKey,
  row: Locked,
  at: Instant,
  by: Actor | undefined,
): Promise<Erasure> => {
  const now = toSqlInstant(at)
  const record = [endOfLine({ at, what: 'erased', by }), now]
  const name = importKeyValues(key)
  const removed = { rows: 0, transactions: 0 }
  for (const number of await accountNumbers(db, dialect, key)) {
    const { rows, transactions } = await eraseAccount(db, dialect, key, number, now)
    removed.rows += rows
    removed.transactions += transactions
  }
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
  { dialect, plainly }: Session,
  key: AccountKey,
  at: Instant,
  by: Actor | undefined,
): Promise<Erasure> =>
  plainly(async (db) => {
    const row = await lockImport(db, dialect, key)
    if (row === undefined) return eraseNeverStaged(db, key)
    if (isInProgress(accountImportOf(row), at)) return { _tag: 'in_progress' }
    if (await isBeingSent(db, dialect, key, toSqlInstant(at))) return { _tag: 'email_being_sent' }
    return eraseLocked(db, dialect, key, row, at, by)
  })
