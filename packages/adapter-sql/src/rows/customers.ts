import type { Customer } from '@account-import/core'
import { fromJson, toJson } from './json.js'
import { present } from './present.js'
import type { Place } from './account-row-key.js'
import type { Row } from './row.js'

export type CustomerRow = Readonly<{
  ordinal: number
  account_roles: string
  user_details: string
  given_name: string | null
  family_name: string | null
  email: string | null
  mobile: string | null
  landline: string | null
}>

export const customerRow = (customer: Customer, place: Place): Row => ({
  ...place,
  account_roles: toJson(customer.account_roles),
  user_details: toJson(customer.user_details),
  given_name: customer.given_name,
  family_name: customer.family_name,
  email: customer.email,
  mobile: customer.mobile,
  landline: customer.landline,
})

export const customerOf = (row: CustomerRow): Customer => ({
  account_roles: fromJson<Customer['account_roles']>(row.account_roles),
  user_details: fromJson<Customer['user_details']>(row.user_details),
  ...present({
    given_name: row.given_name,
    family_name: row.family_name,
    email: row.email,
    mobile: row.mobile,
    landline: row.landline,
  }),
})
