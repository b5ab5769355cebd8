import type { AccountDetails } from '@account-import/core'
import type { RowKey } from './account-row-key.js'
import type { NewRow } from './row.js'

type AccountReference = AccountDetails['references'][number]

export type AccountReferenceRow = RowKey & Readonly<{ namespace: string; value: string }>

export const accountReferenceRow = (
  reference: AccountReference,
  key: RowKey,
): NewRow<AccountReferenceRow> => ({
  ...key,
  namespace: reference.namespace,
  value: reference.value,
})

export const accountReferenceOf = (row: AccountReferenceRow): AccountReference => ({
  namespace: row.namespace,
  value: row.value,
})
