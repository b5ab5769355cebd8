import type { ClaimOutcome, ClaimRequest } from '@account-import/core'
import { refusalOf } from '@account-import/core/adapter-kit'
import type { Knex } from 'knex'
import { accountImportOf, type AccountImportRow } from '../rows/account-imports.js'
import { importKeyRow } from '../rows/import-key.js'
import { toSqlInstant } from '../rows/instants.js'
import type { Session } from '../session/session.js'
import { compareKeys } from '../statements/import-keys.js'
import { selectRows } from '../statements/select-rows.js'
import { withoutLiveClaim } from '../statements/without-live-claim.js'
import { tables } from '../rows/tables.js'
import { hasFreeSlot, takeSlot } from './processing-slots.js'

/** Undoes a claim that found no slot. */
class NoFreeSlot extends Error {}

const takeImport = async (db: Knex, request: ClaimRequest, holdsSlot: boolean): Promise<boolean> => {
  const taken = await db<AccountImportRow>(tables.accountImports)
    .where(importKeyRow(request.key))
    .where('staged_version', '>', 0)
    .whereNull('platform_account_number')
    .where('skipped', 0)
    .where(withoutLiveClaim(request.at))
    .update({
      claim_token: request.token,
      claim_expires_at: toSqlInstant(request.expiresAt),
      holds_slot: holdsSlot ? 1 : 0,
      attempts: db.raw(request.countsAsAttempt ? 'attempts + 1' : 'attempts'),
    })
  return taken === 1
}

/** The import as it is now, and its payload if the claim is ours. */
const readText =
  `SELECT i.*, s.payload FROM ${tables.accountImports} i LEFT JOIN ${tables.stagedAccounts} s ` +
  'ON s.organisation = i.organisation AND s.import_supplier = i.import_supplier ' +
  'AND s.external_account_number = i.external_account_number AND i.claim_token = ? ' +
  'WHERE i.organisation = ? AND i.import_supplier = ? AND i.external_account_number = ?'

const readOutcome = async (db: Knex, { key, token, at }: ClaimRequest): Promise<ClaimOutcome> => {
  const bindings = [token, key.organisation, key.importSupplier, key.externalAccountNumber]
  const [row] = await selectRows<AccountImportRow & { payload: string | null }>(db, readText, bindings)
  if (row === undefined) return { _tag: 'not_staged' }
  if (row.payload !== null) return { _tag: 'claimed', version: row.staged_version, payload: row.payload }
  if (row.staged_version === 0 && row.platform_account_number === null) return { _tag: 'not_staged' }
  // If the row gives no reason, another claim was the reason and has ended since; an account or a mark would be there.
  return refusalOf(accountImportOf(row), at) ?? { _tag: 'in_progress' }
}

/**
 * Needs no transaction: once taken, nothing changes under the claim, and when the two statements are run again the
 * import is still ours by its token.
 */
const claimWithoutLimit = (session: Session, request: ClaimRequest): Promise<ClaimOutcome> =>
  session.run(async (db) => {
    await takeImport(db, request, false)
    return readOutcome(db, request)
  })

/** Locks the import first and then the slot. All transactions lock both in this order, so that none deadlock. */
const claimWithSlot = async (
  session: Session,
  request: ClaimRequest,
  limit: number,
): Promise<ClaimOutcome> => {
  try {
    return await session.undoable(async (db) => {
      if (await takeImport(db, request, true))
        if (!(await takeSlot(db, session.dialect, request, limit))) throw new NoFreeSlot()
      return readOutcome(db, request)
    })
  } catch (cause) {
    if (cause instanceof NoFreeSlot) return { _tag: 'over_limit' }
    throw cause
  }
}

const maxTries = 3

/**
 * Rows for slots are made when a claim first finds none free. As long as some of them are missing, the limit is not
 * reached: they are made, and the claim is tried again.
 */
const claimWithinLimit = async (
  session: Session,
  request: ClaimRequest,
  limit: number,
): Promise<ClaimOutcome> => {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await claimWithSlot(session, request, limit)
    if (outcome._tag !== 'over_limit' || attempt === maxTries) return outcome
    if (!(await session.run((db) => hasFreeSlot(db, request, limit)))) return outcome
  }
}

/** Takes the claims one after the other, in the order of their keys, each for itself. */
export const claim = async (
  session: Session,
  requests: readonly ClaimRequest[],
  limit: number | undefined,
): Promise<readonly ClaimOutcome[]> => {
  const outcomes = new Map<ClaimRequest, ClaimOutcome>()
  for (const request of [...requests].sort((a, b) => compareKeys(a.key, b.key))) {
    const outcome =
      limit === undefined
        ? await claimWithoutLimit(session, request)
        : await claimWithinLimit(session, request, limit)
    outcomes.set(request, outcome)
  }
  return requests.map((request) => outcomes.get(request) as ClaimOutcome)
}
