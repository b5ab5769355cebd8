import type { Staging } from '@account-import/core'
import { perDialect } from '../dialects/per-dialect.js'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { importColumns, type ReadImportRow } from '../rows/account-imports.js'
import { toSqlInstant } from '../rows/instants.js'
import type { KeptPayload } from '../rows/kept-payload.js'
import { tables } from '../rows/tables.js'
import { beginOfFirstLine, endOfLine, sha256, withLine } from '../rows/unsealed-line.js'
import type { Statements } from '../session/statements.js'
import { fromSupplier, supplierBindings } from './by-supplier.js'
import { hasOneOfKeys, keyColumns } from './import-keys.js'
import { selectRows } from './select-rows.js'

const columns =
  'organisation, import_supplier, external_account_number, first_staged_at, staged_at, staging_id, payload, ' +
  'payload_hash, data_key, unsealed, unsealed_since, staged_version, state, skipped, holds_slot, attempts'

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
    const line = `SUBSTR(${incoming('unsealed')}, ${beginOfFirstLine.length + 1})`
    return [
      // It tells of version and hash as they were.
      set('unsealed', withLine(tables.accountImports, line)),
      set('unsealed_since', `COALESCE(${old('unsealed_since')}, ${incoming('unsealed_since')})`),
      set('payload_hash', incoming('payload_hash')),
      set('staged_version', told(`${version} + 1`), `${version} * ${told('1')}`),
      set('payload', incoming('payload')),
      set('data_key', incoming('data_key')),
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

/** A staging, and what its payload is kept as. */
export type KeptStaging = Staging & Readonly<{ kept: KeptPayload }>

type Bindings = readonly (string | null)[]

const bindingsOf = ({ key, payload, kept, at, by }: KeptStaging, stagingId: string): Bindings => {
  const instant = toSqlInstant(at)
  const after = sha256(payload)
  return [
    key.organisation,
    key.importSupplier,
    key.externalAccountNumber,
    instant,
    instant,
    stagingId,
    kept.payload,
    after,
    kept.dataKey,
    beginOfFirstLine + endOfLine({ at, what: 'staged', by, after }),
    instant,
  ]
}

const insert = `INSERT INTO ${tables.accountImports} (${columns})`
const marks = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 'staged', 0, 0, 0"

/**
 * A staging alone hangs on its supplier within its statement. READ COMMITTED, which all connections have, reads the supplier
 * as it is committed when the statement begins: it locks nothing there, and waits for nobody who changes it.
 */
const rowsOf = (stagings: readonly KeptStaging[], stagingId: string): readonly [string, Bindings] => {
  const bindings = stagings.flatMap((staging) => bindingsOf(staging, stagingId))
  const [first] = stagings
  const supplier = stagings.length === 1 && first !== undefined ? supplierBindings(first) : undefined
  return supplier === undefined
    ? [`VALUES ${stagings.map(() => `(${marks})`).join(', ')}`, bindings]
    : [`SELECT ${marks} ${fromSupplier}`, [...bindings, ...supplier]]
}

/**
 * Decides all stagings in one statement. A row with this `stagingId` was staged by it. The stagings are in the order
 * of their keys. Where rows have to be read afterwards, as they may be for several stagings, they are those that the
 * statement left only in a transaction. No version is known of a staging alone whose supplier
 * has changed.
 */
export const stageImports = async (
  db: Statements,
  dialect: SqlDialect,
  stagings: readonly KeptStaging[],
  stagingId: string,
): Promise<Staged> => {
  const [rows, bindings] = rowsOf(stagings, stagingId)
  const answer = await db.raw(`${insert} ${rows} ${whenAllowed(dialect)}`, bindings)
  if (dialect.upserts.returning !== undefined) {
    const written = answer as readonly ReadImportRow[]
    return written.length === 0 ? { versions: [] } : { rows: written }
  }
  const versions = dialect.upserts.toldValues(answer, stagings.length)
  if (versions !== undefined) return { versions }
  const condition = hasOneOfKeys(stagings.map(({ key }) => key))
  const text = `SELECT ${importColumns.join(', ')} FROM ${tables.accountImports} WHERE ${condition.sql}`
  return { rows: await selectRows<ReadImportRow>(db, text, condition.bindings) }
}
