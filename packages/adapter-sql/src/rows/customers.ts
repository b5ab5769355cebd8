import type { Customer } from '@account-import/core'
import { jsonColumn } from './json-column.js'
import { present } from './present.js'
import type { RowKey } from './account-row-key.js'
import type { NewRow } from './row.js'
import { listOf, objectOf, text } from './shapes.js'

export type CustomerRow = RowKey &
  Readonly<{
    account_roles: string
    user_details: string
    given_name: string | null
    family_name: string | null
    email: string | null
    mobile: string | null
    landline: string | null
  }>

export const accountRoles = jsonColumn('customers.account_roles', listOf(text))

const userDetails = jsonColumn<Customer['user_details']>(
  'customers.user_details',
  listOf(objectOf({ namespace: text, value: text })),
)

export const customerRow = (customer: Customer, key: RowKey): NewRow<CustomerRow> => ({
  ...key,
  account_roles: accountRoles.toText(customer.account_roles),
  user_details: userDetails.toText(customer.user_details),
  given_name: customer.given_name,
  family_name: customer.family_name,
  email: customer.email,
  mobile: customer.mobile,
  landline: customer.landline,
})

export const customerOf = (row: CustomerRow): Customer => ({
  account_roles: accountRoles.fromText(row.account_roles),
  user_details: userDetails.fromText(row.user_details),
  ...present({
    given_name: row.given_name,
    family_name: row.family_name,
    email: row.email,
    mobile: row.mobile,
    landline: row.landline,
  }),
})
