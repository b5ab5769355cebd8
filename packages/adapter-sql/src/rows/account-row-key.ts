import type { Account, LockedAccount } from '@account-import/core'

/** What every row of an account begins with. */
export type AccountRowKey = Readonly<{
  organisation: string
  import_supplier: string
  platform_account_number: string
}>

export const accountRowKey = (account: Account | LockedAccount): AccountRowKey => ({
  organisation: account.key.organisation,
  import_supplier: account.key.importSupplier,
  platform_account_number: account.platformAccountNumber,
})

/** Where a row of one of the account's own lists stands. Rows are built from it: it holds their whole key. */
export type RowKey = AccountRowKey & Readonly<{ ordinal: number }>
