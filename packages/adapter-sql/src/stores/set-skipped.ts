import type { AccountKey, Actor, Instant } from '@account-import/core'
import { refusalOf } from '@account-import/core/adapter-kit'
import type { Knex } from 'knex'
import { unlessDuplicate } from '../failures/duplicate.js'
import {
  accountImportOf,
  importColumns,
  type AccountImportRow,
  type ReadImportRow,
} from '../rows/account-imports.js'
import { importKeyRow } from '../rows/import-key.js'
import type { NewRow } from '../rows/row.js'
import { tables } from '../rows/tables.js'
import { beginOfFirstLine, endOfLine, withLine } from '../rows/unsealed-line.js'
import { toSqlInstant } from '../rows/instants.js'
import { withoutLiveClaim } from '../statements/without-live-claim.js'

/** The mark that is to be set or removed, when, and by whom. */
export type SkipRequest = Readonly<{
  key: AccountKey
  skipped: boolean
  at: Instant
  by: Actor | undefined
}>

export type SkipOutcome = 'changed' | 'unchanged' | 'already_imported' | 'in_progress'

/** Changes the mark where that is allowed. */
const change = async (db: Knex, { key, skipped, at, by }: SkipRequest): Promise<boolean> => {
  const line = endOfLine({ at, what: skipped ? 'skipped' : 'unskipped', by })
  const changed = await db<AccountImportRow>(tables.accountImports)
    .where(importKeyRow(key))
    .where('skipped', skipped ? 0 : 1)
    .whereNull('platform_account_number')
    .where(withoutLiveClaim(at))
    .update({
      skipped: skipped ? 1 : 0,
      state: skipped ? 'skipped' : db.raw("CASE WHEN staged_version > 0 THEN 'staged' ELSE 'none' END"),
      claim_token: null,
      claim_expires_at: null,
      holds_slot: 0,
      unsealed: db.raw(withLine(tables.accountImports, '?'), [line]),
      unsealed_since: db.raw('COALESCE(unsealed_since, ?)', [toSqlInstant(at)]),
    })
  return changed === 1
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
const insertSkipped = (db: Knex, request: SkipRequest): Promise<boolean> =>
  unlessDuplicate(async () => {
    await db(tables.accountImports).insert(skippedRow(request))
    return true
  }, false)

/** Undefined when the import changed between the statements, and the whole has to be looked at again. */
const trySetSkipped = async (db: Knex, request: SkipRequest): Promise<SkipOutcome | undefined> => {
  const { key, skipped, at } = request
  if (await change(db, request)) return 'changed'
  const row = await db<AccountImportRow>(tables.accountImports)
    .where(importKeyRow(key))
    .first(...importColumns)
  if (row === undefined) {
    if (!skipped) return 'unchanged'
    return (await insertSkipped(db, request)) ? 'changed' : undefined
  }
  const refusal = refusalOf(accountImportOf(row as ReadImportRow), at)
  if (refusal !== undefined && refusal._tag !== 'marked_to_skip') return refusal._tag
  return Boolean(row.skipped) === skipped ? 'unchanged' : undefined
}

const maxTries = 10

/** Each statement decides for itself, so nothing is locked between them. */
export const setSkipped = async (db: Knex, request: SkipRequest): Promise<SkipOutcome> => {
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const outcome = await trySetSkipped(db, request)
    if (outcome !== undefined) return outcome
  }
  throw new Error(`The import changed ${maxTries} times while it was being marked`)
}
