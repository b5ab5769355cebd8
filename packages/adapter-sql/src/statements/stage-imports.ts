import type { Staging } from '@account-import/core'
import { perDialect } from '../dialects/per-dialect.js'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import type { AccountImportRow } from '../rows/account-imports.js'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import { hasOneOfKeys, keyColumns } from './import-keys.js'
import { selectRows } from './select-rows.js'
import type { Statements } from '../session/statements.js'

const columns =
  'organisation, import_supplier, external_account_number, first_staged_at, staged_at, staging_id, ' +
  'staged_version, state, skipped, holds_slot, attempts'

/**
 * Every assignment hangs on the one condition under which an import may be staged: no account, no mark, no live
 * claim. Ending the claim keeps the condition true, so it holds for the assignments after it too.
 */
const whenAllowed = perDialect((dialect) =>
  dialect.orUpdate(keyColumns, (incoming) => {
    const allowed =
      `platform_account_number IS NULL AND skipped = 0 AND ` +
      `(claim_token IS NULL OR claim_expires_at <= ${incoming('staged_at')})`
    const set = (column: string, value: string): readonly [string, string] => [
      column,
      `CASE WHEN ${allowed} THEN ${value} ELSE ${tables.accountImports}.${column} END`,
    ]
    return [
      set('staged_version', `${tables.accountImports}.staged_version + 1`),
      set('first_staged_at', `COALESCE(${tables.accountImports}.first_staged_at, ${incoming('staged_at')})`),
      set('staged_at', incoming('staged_at')),
      set('staging_id', incoming('staging_id')),
      set('state', incoming('state')),
      set('holds_slot', '0'),
      set('claim_token', 'NULL'),
      set('claim_expires_at', 'NULL'),
    ]
  }),
)

/**
 * Decides all stagings in one statement, and gives the rows as they are then, locked until the transaction ends.
 * A row with this `stagingId` was staged by it. The stagings are in the order of their keys.
 */
export const stageImports = async (
  db: Statements,
  dialect: SqlDialect,
  stagings: readonly Staging[],
  stagingId: string,
): Promise<readonly AccountImportRow[]> => {
  const values = stagings.map(() => "(?, ?, ?, ?, ?, ?, 1, 'staged', 0, 0, 0)").join(', ')
  const bindings = stagings.flatMap(({ key, at }) => {
    const instant = toSqlInstant(at)
    return [key.organisation, key.importSupplier, key.externalAccountNumber, instant, instant, stagingId]
  })
  await db.raw(
    `INSERT INTO ${tables.accountImports} (${columns}) VALUES ${values} ${whenAllowed(dialect)}`,
    bindings,
  )
  const condition = hasOneOfKeys(stagings.map(({ key }) => key))
  return selectRows<AccountImportRow>(
    db,
    `SELECT * FROM ${tables.accountImports} WHERE ${condition.sql}`,
    condition.bindings,
  )
}
