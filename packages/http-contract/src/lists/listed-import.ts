import type { AccountImportListItem } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'

const textOrNull = t.union([t.string, t.null])

/** An account import in a list; the last two fields are null until an account exists. */
export const listedImport = t.type(
  {
    external_account_number: t.string,
    platform_account_number: textOrNull,
    /** `YYYY-MM-DDTHH:MM:SSZ` */
    account_created_at: textOrNull,
  },
  'ListedImport',
)
export type ListedImport = t.TypeOf<typeof listedImport>

export const listedImportOf = (item: AccountImportListItem): ListedImport => ({
  external_account_number: item.externalAccountNumber,
  platform_account_number: item.platformAccountNumber ?? null,
  account_created_at: item.accountCreatedAt === undefined ? null : toWireDatetime(item.accountCreatedAt),
})
