import type { AccountDetails } from '@account-import/core'
import type { Place } from './account-row-key.js'
import type { Row } from './row.js'

type AccountReference = AccountDetails['references'][number]

export type AccountReferenceRow = Readonly<{ ordinal: number; namespace: string; value: string }>

export const accountReferenceRow = (reference: AccountReference, place: Place): Row => ({
  ...place,
  namespace: reference.namespace,
  value: reference.value,
})

export const accountReferenceOf = (row: AccountReferenceRow): AccountReference => ({
  namespace: row.namespace,
  value: row.value,
})
