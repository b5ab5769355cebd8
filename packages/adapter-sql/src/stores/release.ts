import type { ClaimRelease } from '@account-import/core'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import type { Session } from '../session/session.js'
import type { Statements } from '../session/statements.js'
import { endableClaims } from './endable-claims.js'

const endText =
  `UPDATE ${tables.accountImports} SET claim_token = NULL, claim_expires_at = NULL, holds_slot = 0, ` +
  'latest_failure_code = COALESCE(?, latest_failure_code), latest_failure_at = COALESCE(?, latest_failure_at) ' +
  'WHERE organisation = ? AND import_supplier = ? AND external_account_number = ?'

const end = (db: Statements, { key, failure }: ClaimRelease): PromiseLike<unknown> =>
  db.raw(endText, [
    failure?.code ?? null,
    failure === undefined ? null : toSqlInstant(failure.at),
    key.organisation,
    key.importSupplier,
    key.externalAccountNumber,
  ])

/** Ends the claims that are still the ones named, and records their failures. */
export const release = (session: Session, releases: readonly ClaimRelease[]): Promise<void> =>
  session.plainly(async (db) => {
    for (const held of await endableClaims(db, session.dialect, releases)) await end(db, held)
  })
