import type { AccountKey, Actor, Instant } from '@account-import/core'
import { refusalOf } from '@account-import/core/adapter-kit'
import { unlessDuplicate } from '../sql/failures.js'
import { importKeyRow, type NewRow, sqlBoolean, tables, toSqlInstant } from '../sql/rows.js'
import type { Db } from '../sql/session.js'
import { importKeyValues, ofImport } from '../sql/sql.js'
import {
  accountImportOf,
  type AccountImportRow,
  beginOfFirstLine,
  endOfLine,
  importColumns,
  type ReadImportRow,
  withLine,
} from './import-rows.js'

/** The mark that is to be set or removed, when, and by whom. */
export type SkipRequest = Readonly<{
  key: AccountKey
  skipped: boolean
  at: Instant
  by: Actor | undefined
}>

export type SkipOutcome = 'changed' | 'unchanged' | 'already_imported' | 'in_progress'

/** MySQL assigns from left to right: the state comes from what the row was staged as. */
const changeText =
  `UPDATE ${tables.accountImports} SET skipped = ?, ` +
  "state = CASE WHEN ? = 1 THEN 'skipped' WHEN staged_version > 0 THEN 'staged' ELSE 'none' END, " +
  `unsealed = ${withLine(tables.accountImports, '?')}, unsealed_since = COALESCE(unsealed_since, ?), ` +
  'claim_token = NULL, claim_expires_at = NULL, holds_slot = 0 ' +
  `WHERE ${ofImport} AND skipped = ? AND platform_account_number IS NULL ` +
  'AND (claim_token IS NULL OR claim_expires_at <= ?)'

/** Changes the mark where that is allowed. A claim that has expired does not count; its owner can create nothing. */
const change = async (db: Db, { key, skipped, at, by }: SkipRequest): Promise<boolean> => {
  const line = endOfLine({ at, what: skipped ? 'skipped' : 'unskipped', by })
  const mark = sqlBoolean(skipped)
  const [now, name] = [toSqlInstant(at), importKeyValues(key)]
  return (await db.change(changeText, [mark, mark, line, now, ...name, 1 - mark, now])) === 1
}

const skippedRow = ({ key, at, by }: SkipRequest): NewRow<AccountImportRow> => ({
  ...importKeyRow(key),
  staged_version: 0,
  first_staged_at: null,
  staged_at: null,
  staging_id: null,
  state: 'skipped',
  skipped: 1,
  claim_token: null,
  claim_expires_at: null,
  holds_slot: 0,
  attempts: 0,
  latest_failure_code: null,
  latest_failure_at: null,
  platform_account_number: null,
  account_created_at: null,
  created_version: null,
  payload_hash: null,
  unsealed: beginOfFirstLine + endOfLine({ at, what: 'skipped', by }),
  unsealed_since: toSqlInstant(at),
  payload_removed_at: null,
  erased_at: null,
})

/** Makes a pair known that was not: false when another call was faster. */
const insertSkipped = (db: Db, request: SkipRequest): Promise<boolean> =>
  unlessDuplicate(async () => {
    await db.insert(tables.accountImports, [skippedRow(request)])
    return true
  }, false)

const findText = `SELECT ${importColumns.join(', ')} FROM ${tables.accountImports} WHERE ${ofImport}`

/** Undefined when the import changed between the statements, and the whole has to be looked at again. */
const trySetSkipped = async (db: Db, request: SkipRequest): Promise<SkipOutcome | undefined> => {
  const { key, skipped, at } = request
  if (await change(db, request)) return 'changed'
  const [row] = await db.select<ReadImportRow>(findText, importKeyValues(key))
  if (row === undefined) {
    if (!skipped) return 'unchanged'
    return (await insertSkipped(db, request)) ? 'changed' : undefined
  }
  const refusal = refusalOf(accountImportOf(row), at)
  if (refusal !== undefined && refusal._tag !== 'marked_to_skip') return refusal._tag
  return Boolean(row.skipped) === skipped ? 'unchanged' : undefined
}

const maxTries = 10

/** Each statement decides for itself, so nothing is locked between them. */
export const setSkipped = async (db: Db, request: SkipRequest): Promise<SkipOutcome> => {
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const outcome = await trySetSkipped(db, request)
    if (outcome !== undefined) return outcome
  }
  throw new Error(`The import changed ${maxTries} times while it was being marked`)
}
