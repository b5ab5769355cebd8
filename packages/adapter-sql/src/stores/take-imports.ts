import type { ClaimRequest } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { toSqlInstant } from '../rows/instants.js'
import { sqlBoolean } from '../rows/row.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { filledUp } from '../statements/filled-up.js'
import { caseOf, marks } from '../statements/marks.js'
import { importKeyValues, ofImport } from '../statements/of-import.js'
import { selectRows } from '../statements/select-rows.js'
import { updateRows } from '../statements/update-rows.js'

const mayBeClaimed = 'staged_version > 0 AND platform_account_number IS NULL AND skipped = 0'

const claimableText = ({ forUpdate }: SqlDialect): string =>
  `SELECT staged_version FROM ${tables.accountImports} WHERE ${ofImport} AND ${mayBeClaimed} ` +
  `AND (claim_token IS NULL OR claim_expires_at <= ?) ${forUpdate}`

/** Whether the import may be claimed; locks it until the transaction ends. */
export const isClaimable = async (
  db: Statements,
  dialect: SqlDialect,
  { key, at }: ClaimRequest,
): Promise<boolean> => {
  const bindings = [...importKeyValues(key), toSqlInstant(at)]
  return (await selectRows(db, claimableText(dialect), bindings)).length > 0
}

/**
 * Takes the claims of those imports that may be claimed, in one statement; answers how many. The requests are of one
 * supplier, all count as attempts or none does, and no two are for one import. Rows are locked in the order of their key.
 */
export const takeImports = (
  db: Statements,
  dialect: SqlDialect,
  requests: readonly [ClaimRequest, ...ClaimRequest[]],
  holdsSlot: boolean,
): Promise<number> => {
  const [{ key, countsAsAttempt }] = requests
  const list = filledUp(requests)
  const numbers = list.map((request) => request.key.externalAccountNumber)
  const each = (valueOf: (request: ClaimRequest) => string): readonly string[] =>
    list.flatMap((request) => [request.key.externalAccountNumber, valueOf(request)])
  const ended = list.map(() => 'OR (external_account_number = ? AND claim_expires_at <= ?)').join(' ')
  return updateRows(
    db,
    `UPDATE ${dialect.inOrderOf(tables.accountImports, 'PRIMARY')} SET ` +
      `claim_token = ${caseOf('external_account_number', list.length)}, ` +
      `claim_expires_at = ${caseOf('external_account_number', list.length)}, ` +
      'holds_slot = ?, attempts = attempts + ? ' +
      `WHERE organisation = ? AND import_supplier = ? AND external_account_number IN (${marks(list.length)}) ` +
      `AND ${mayBeClaimed} AND (claim_token IS NULL ${ended})`,
    [
      ...each(({ token }) => token),
      ...each(({ expiresAt }) => toSqlInstant(expiresAt)),
      sqlBoolean(holdsSlot),
      sqlBoolean(countsAsAttempt),
      key.organisation,
      key.importSupplier,
      ...numbers,
      ...each(({ at }) => toSqlInstant(at)),
    ],
  )
}
