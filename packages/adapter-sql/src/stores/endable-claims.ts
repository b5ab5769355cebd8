import type { AccountKey } from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import type { AccountImportRow } from '../rows/account-imports.js'
import { importKeyOf, type ImportKeyRow } from '../rows/import-key.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { filledUp } from '../statements/filled-up.js'
import { compareKeys, hasOneOfKeys, keyColumns } from '../statements/import-keys.js'
import { selectRows } from '../statements/select-rows.js'
import { freeSlot } from './processing-slots.js'

type HeldRow = ImportKeyRow & Pick<AccountImportRow, 'claim_token' | 'holds_slot'>

const columns = [...keyColumns, 'claim_token', 'holds_slot'].join(', ')

/** Names a claim. */
export type NamedClaim = Readonly<{ key: AccountKey; token: string }>

/**
 * Those claims that are still the ones named, in the order of their keys. Their imports are locked until the transaction
 * ends; the slots of those that hold one are free when it has ended.
 */
export const endableClaims = async <A extends NamedClaim>(
  db: Statements,
  dialect: SqlDialect,
  claims: readonly A[],
): Promise<readonly A[]> => {
  if (claims.length === 0) return []
  const sorted = claims.toSorted((a, b) => compareKeys(a.key, b.key))
  const { sql, bindings } = hasOneOfKeys(filledUp(sorted.map(({ key }) => key)))
  const rows = await selectRows<HeldRow>(
    db,
    `SELECT ${columns} FROM ${dialect.inOrderOf(tables.accountImports, 'PRIMARY')} ` +
      `WHERE (${sql}) AND claim_token IS NOT NULL AND platform_account_number IS NULL ${dialect.forUpdate}`,
    bindings,
  )
  const found = new Map(rows.map((row) => [accountKeyText(importKeyOf(row)), row]))
  const rowOf = ({ key }: A): HeldRow | undefined => found.get(accountKeyText(key))
  const held = sorted.filter((claim) => rowOf(claim)?.claim_token === claim.token)
  for (const claim of held) if (rowOf(claim)?.holds_slot) await freeSlot(db, claim.token)
  return held
}
