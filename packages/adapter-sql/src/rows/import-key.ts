import type { AccountKey } from '@account-import/core'

export type ImportKeyRow = Readonly<{
  organisation: string
  import_supplier: string
  external_account_number: string
}>

/** The key of an import as columns. */
export const importKeyRow = (key: AccountKey): ImportKeyRow => ({
  organisation: key.organisation,
  import_supplier: key.importSupplier,
  external_account_number: key.externalAccountNumber,
})

export const importKeyOf = (row: ImportKeyRow): AccountKey => ({
  organisation: row.organisation,
  importSupplier: row.import_supplier,
  externalAccountNumber: row.external_account_number,
})
