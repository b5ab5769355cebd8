import type { Staging } from '@account-import/core'
import { perDialect } from '../dialects/per-dialect.js'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { importColumns, type ReadImportRow } from '../rows/account-imports.js'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { hasOneOfKeys, keyColumns } from './import-keys.js'
import { selectRows } from './select-rows.js'

const columns =
  'organisation, import_supplier, external_account_number, first_staged_at, staged_at, staging_id, payload, ' +
  'staged_version, state, skipped, holds_slot, attempts'

/**
 * Every assignment hangs on the one condition under which an import may be staged: no account, no mark, no live
 * claim. Ending the claim keeps the condition true, so it holds for the assignments after it too.
 */
const whenAllowed = perDialect(({ orUpdate, upserts: { told, returning } }) => {
  const end = orUpdate(keyColumns, (incoming) => {
    const allowed =
      `platform_account_number IS NULL AND skipped = 0 AND ` +
      `(claim_token IS NULL OR claim_expires_at <= ${incoming('staged_at')})`
    const old = (column: string): string => `${tables.accountImports}.${column}`
    const set = (column: string, value: string, otherwise = old(column)): readonly [string, string] => [
      column,
      `CASE WHEN ${allowed} THEN ${value} ELSE ${otherwise} END`,
    ]
    const version = old('staged_version')
    return [
      set('staged_version', told(`${version} + 1`), `${version} * ${told('1')}`),
      set('payload', incoming('payload')),
      set('first_staged_at', `COALESCE(${old('first_staged_at')}, ${incoming('staged_at')})`),
      set('staged_at', incoming('staged_at')),
      set('staging_id', incoming('staging_id')),
      set('state', incoming('state')),
      set('holds_slot', '0'),
      set('claim_token', 'NULL'),
      set('claim_expires_at', 'NULL'),
    ]
  })
  return `${end} ${returning?.(importColumns.join(', ')) ?? ''}`
})

/** What is known of the imports after a staging: their versions where all were staged, or else their rows. */
type Staged = Readonly<{ versions: readonly number[] } | { rows: readonly ReadImportRow[] }>

/**
 * Decides all stagings in one statement. A row with this `stagingId` was staged by it. The stagings are in the order
 * of their keys. Where rows have to be read afterwards, as they may be for several stagings, they are those that the
 * statement left only in a transaction.
 */
export const stageImports = async (
  db: Statements,
  dialect: SqlDialect,
  stagings: readonly Staging[],
  stagingId: string,
): Promise<Staged> => {
  const values = stagings.map(() => "(?, ?, ?, ?, ?, ?, ?, 1, 'staged', 0, 0, 0)").join(', ')
  const bindings = stagings.flatMap(({ key, payload, at }) => {
    const instant = toSqlInstant(at)
    return [
      key.organisation,
      key.importSupplier,
      key.externalAccountNumber,
      instant,
      instant,
      stagingId,
      payload,
    ]
  })
  const answer = await db.raw(
    `INSERT INTO ${tables.accountImports} (${columns}) VALUES ${values} ${whenAllowed(dialect)}`,
    bindings,
  )
  if (dialect.upserts.returning !== undefined) return { rows: answer as readonly ReadImportRow[] }
  const versions = dialect.upserts.toldValues(answer, stagings.length)
  if (versions !== undefined) return { versions }
  const condition = hasOneOfKeys(stagings.map(({ key }) => key))
  const text = `SELECT ${importColumns.join(', ')} FROM ${tables.accountImports} WHERE ${condition.sql}`
  return { rows: await selectRows<ReadImportRow>(db, text, condition.bindings) }
}
