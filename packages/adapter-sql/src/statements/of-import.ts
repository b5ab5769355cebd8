import type { AccountKey } from '@account-import/core'
import { keyColumns } from './import-keys.js'

/** That a row belongs to the import of a key. Bindings: `importKeyValues`. */
export const ofImport = keyColumns.map((column) => `${column} = ?`).join(' AND ')

export const importKeyValues = ({
  organisation,
  importSupplier,
  externalAccountNumber,
}: AccountKey): readonly string[] => [organisation, importSupplier, externalAccountNumber]
