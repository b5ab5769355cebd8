import type { AccountDetails } from '@account-import/core'
import type { Place } from './account-row-key.js'
import type { NewRow } from './row.js'

type AccountReference = AccountDetails['references'][number]

export type AccountReferenceRow = Place & Readonly<{ namespace: string; value: string }>

export const accountReferenceRow = (
  reference: AccountReference,
  place: Place,
): NewRow<AccountReferenceRow> => ({
  ...place,
  namespace: reference.namespace,
  value: reference.value,
})

export const accountReferenceOf = (row: AccountReferenceRow): AccountReference => ({
  namespace: row.namespace,
  value: row.value,
})
