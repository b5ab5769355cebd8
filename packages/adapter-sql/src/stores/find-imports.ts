import type { AccountImport, AccountKey } from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import { accountImportOf, importColumns, type ReadImportRow } from '../rows/account-imports.js'
import { importKeyOf } from '../rows/import-key.js'
import { tables } from '../rows/tables.js'
import type { Session } from '../session/session.js'
import { filledUp } from '../statements/filled-up.js'
import { hasOneOfKeys } from '../statements/import-keys.js'
import { selectRows } from '../statements/select-rows.js'
import { grouped } from './grouped.js'

const supplierOf = (key: AccountKey): string => JSON.stringify([key.organisation, key.importSupplier])

/** The imports of the keys, in their order: one statement for each supplier. */
export const findImports = async (
  session: Session,
  keys: readonly AccountKey[],
): Promise<readonly (AccountImport | undefined)[]> => {
  const keysOf = grouped(keys, supplierOf)
  const suppliers = [...new Set(keys.map(supplierOf))]
  const rows = await Promise.all(
    suppliers.map((supplier) => {
      const { sql, bindings } = hasOneOfKeys(filledUp(keysOf(supplier)))
      const text = `SELECT ${importColumns.join(', ')} FROM ${tables.accountImports} WHERE ${sql}`
      return session.query((db) => selectRows<ReadImportRow>(db, text, bindings))
    }),
  )
  const found = new Map(rows.flat().map((row) => [accountKeyText(importKeyOf(row)), row]))
  return keys.map((key) => {
    const row = found.get(accountKeyText(key))
    return row && accountImportOf(row)
  })
}
