import { FAILED } from '../codec/failed.js'
import { isRead } from './readable.js'
import type { AccountRule } from './rule.js'

/** An account has customers unless its occupier is unknown, and then it has none. */
export const customersPresence: AccountRule = ({ customers, unknown_occupier }, findings) => {
  if (unknown_occupier === FAILED || customers === FAILED) return
  if (unknown_occupier === true) {
    if (isRead(customers) && customers.length > 0)
      findings.add('customer_with_unknown_occupier', undefined, 'customers')
  } else if (customers === undefined) findings.add('required', undefined, 'customers')
  else if (customers.length === 0) findings.add('empty', undefined, 'customers')
}
