import type { AccountKey, StageOutcome, Staging } from '@account-import/core'
import { accountKeyText, refusalOf } from '@account-import/core/adapter-kit'
import { randomUUID } from 'node:crypto'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { accountImportOf, type ReadImportRow } from '../rows/account-imports.js'
import { importKeyOf } from '../rows/import-key.js'
import type { Statements } from '../session/statements.js'
import { whoseSupplierStays } from '../statements/by-supplier.js'
import { stageImports, type KeptStaging } from '../statements/stage-imports.js'

type RowOf = (key: AccountKey) => ReadImportRow

const byKey = (rows: readonly ReadImportRow[]): RowOf => {
  const found = new Map(rows.map((row) => [accountKeyText(importKeyOf(row)), row]))
  return (key) => {
    const row = found.get(accountKeyText(key))
    if (row === undefined) throw new Error('A staged import cannot be read back')
    return row
  }
}

const supplierChanged: StageOutcome = { _tag: 'supplier_changed' }

const stagedAs = (version: number): StageOutcome => ({
  _tag: version === 1 ? 'created' : 'replaced',
  version,
})

/**
 * Why an import was not staged is read from its row. If the row gives no reason, a claim was the reason and has ended
 * since; an account or a mark would still be there.
 */
const outcomeOf = (row: ReadImportRow, staging: Staging, stagingId: string): StageOutcome =>
  row.staging_id === stagingId
    ? stagedAs(row.staged_version)
    : (refusalOf(accountImportOf(row), staging.at) ?? { _tag: 'in_progress' })

const decide = async (
  db: Statements,
  dialect: SqlDialect,
  stagings: readonly KeptStaging[],
): Promise<readonly StageOutcome[]> => {
  const stagingId = randomUUID()
  const staged = await stageImports(db, dialect, stagings, stagingId)
  if ('versions' in staged) return staged.versions.map(stagedAs)
  const rowOf = byKey(staged.rows)
  return stagings.map((staging) => outcomeOf(rowOf(staging.key), staging, stagingId))
}

/**
 * Stages what one statement can take. The stagings are in the order of their keys; so are the outcomes. A staging alone
 * hangs on its supplier by its statement; for several the suppliers are looked at first.
 */
export const stageBatch = async (
  db: Statements,
  dialect: SqlDialect,
  stagings: readonly KeptStaging[],
): Promise<readonly StageOutcome[]> => {
  const stays = stagings.length === 1 ? () => true : await whoseSupplierStays(db, stagings)
  const staying = stagings.filter(stays)
  const decided = staying.length === 0 ? [] : await decide(db, dialect, staying)
  let next = 0
  return stagings.map((staging) => (stays(staging) ? decided[next++] : undefined) ?? supplierChanged)
}
