import type { ClaimRelease } from '@account-import/core'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import { endOfLine, withLine } from '../rows/unsealed-line.js'
import type { Session } from '../session/session.js'
import type { Statements } from '../session/statements.js'
import { endableClaims } from './endable-claims.js'

const ended = `UPDATE ${tables.accountImports} SET claim_token = NULL, claim_expires_at = NULL, holds_slot = 0`
const failed =
  `, latest_failure_code = ?, latest_failure_at = ?, unsealed = ${withLine(tables.accountImports, '?')}, ` +
  'unsealed_since = COALESCE(unsealed_since, ?)'
const ofImport = ' WHERE organisation = ? AND import_supplier = ? AND external_account_number = ?'

const end = (db: Statements, { key, failure, by }: ClaimRelease): PromiseLike<unknown> => {
  const ofKey = [key.organisation, key.importSupplier, key.externalAccountNumber]
  if (failure === undefined) return db.raw(ended + ofImport, ofKey)
  const { code, at } = failure
  const instant = toSqlInstant(at)
  const line = endOfLine({ at, what: 'failed', by, subject: code })
  return db.raw(ended + failed + ofImport, [code, instant, line, instant, ...ofKey])
}

/** Ends the claims that are still the ones named, and records their failures. */
export const release = (session: Session, releases: readonly ClaimRelease[]): Promise<void> =>
  session.transaction(async (db) => {
    for (const held of await endableClaims(db, session.dialect, releases)) await end(db, held)
  })
