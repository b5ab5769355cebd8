import { FAILED } from '../codec/failed.js'
import { isRead } from './readable.js'
import type { AccountRule } from './rule.js'

/** Some customer has the role ACCOUNT_HOLDER. Skipped unless the roles of all customers can be read. */
export const accountHolder: AccountRule = ({ customers }, findings) => {
  if (!isRead(customers) || customers.length === 0) return
  for (const customer of customers) {
    if (customer === FAILED || customer.account_roles === FAILED) return
    for (const role of customer.account_roles ?? []) if (role === FAILED || role === 'ACCOUNT_HOLDER') return
  }
  findings.add('required_user_role', undefined, 'customers')
}
