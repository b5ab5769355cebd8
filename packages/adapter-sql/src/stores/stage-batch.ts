import type { AccountKey, StageOutcome, Staging } from '@account-import/core'
import { accountKeyText, refusalOf } from '@account-import/core/adapter-kit'
import { randomUUID } from 'node:crypto'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { accountImportOf, type AccountImportRow } from '../rows/account-imports.js'
import { importKeyOf } from '../rows/import-key.js'
import { savePayloads } from '../statements/save-payloads.js'
import { stageImports } from '../statements/stage-imports.js'
import type { Statements } from '../session/statements.js'

type RowOf = (key: AccountKey) => AccountImportRow

const byKey = (rows: readonly AccountImportRow[]): RowOf => {
  const found = new Map(rows.map((row) => [accountKeyText(importKeyOf(row)), row]))
  return (key) => {
    const row = found.get(accountKeyText(key))
    if (row === undefined) throw new Error('A staged import cannot be read back')
    return row
  }
}

/**
 * Why an import was not staged is read from its row. If the row gives no reason, a claim was the reason and has ended
 * since; an account or a mark would still be there.
 */
const outcomeOf = (row: AccountImportRow, staging: Staging, stagingId: string): StageOutcome =>
  row.staging_id === stagingId
    ? { _tag: row.staged_version === 1 ? 'created' : 'replaced', version: row.staged_version }
    : (refusalOf(accountImportOf(row), staging.at) ?? { _tag: 'in_progress' })

/**
 * Stages what one statement can take, inside a transaction: the imports decide, then the payloads of those that
 * were allowed follow. The stagings are in the order of their keys; so are the outcomes.
 */
export const stageBatch = async (
  db: Statements,
  dialect: SqlDialect,
  stagings: readonly Staging[],
): Promise<readonly StageOutcome[]> => {
  const stagingId = randomUUID()
  const rowOf = byKey(await stageImports(db, dialect, stagings, stagingId))
  const allowed = stagings.filter(({ key }) => rowOf(key).staging_id === stagingId)
  const payloads = allowed.map(({ key, payload }) => ({ key, payload, version: rowOf(key).staged_version }))
  await savePayloads(db, dialect, payloads)
  return stagings.map((staging) => outcomeOf(rowOf(staging.key), staging, stagingId))
}
