import { at, copyOf, drop, listAt, set, type Json } from './json.js'
import { choose, dropped, found, replaced, type Fault } from './fault.js'

const isOccupied = (account: Json): boolean => at(account, 'unknown_occupier') === false

/** Removes the customers, which is only valid where the occupier is unknown. */
const customers: readonly Fault[] = [
  found('customers', 'required', (account) => {
    if (!isOccupied(account)) return undefined
    drop(account, 'customers')
    return 'customers'
  }),
  found('customers', 'empty', (account) => {
    if (!isOccupied(account)) return undefined
    set(account, 'customers', [])
    return 'customers'
  }),
  found('customers', 'customer_with_unknown_occupier', (account) => {
    const [, secondAddress] = listAt(account, 'supply_addresses')
    if (!isOccupied(account) || secondAddress !== undefined) return undefined
    set(account, 'unknown_occupier', true)
    return 'customers'
  }),
  found('customers', 'invalid', (account) => {
    if (!isOccupied(account)) return undefined
    set(account, 'unknown_occupier', 'false')
    return 'unknown_occupier'
  }),
]

const names: readonly Fault[] = [
  found('customers.family', 'customer_family_name_required', (account, random) => {
    const path =
      at(account, 'account_type') === 'DOMESTIC'
        ? choose(account, random, 'customers.*.family_name')
        : undefined
    if (path === undefined) return undefined
    if (random.chance(0.5)) drop(account, path)
    else set(account, path, '  ')
    return path
  }),
  replaced('customers.given', 'customers.*.given_name', null, 'null'),
  replaced('customers.given', 'customers.*.given_name', 'BegoÃ±a', 'wrongly_decoded_text'),
  replaced('customers.given', 'customers.*.given_name', 'undefined Molina', 'missing_value_as_text'),
  found('customers.unknown', 'unknown_field', (account, random) => {
    const customer = choose(account, random, 'customers.*')
    if (customer === undefined) return undefined
    set(account, `${customer}.fax`, '960000124')
    return `${customer}.fax`
  }),
]

const contact: readonly Fault[] = [
  replaced('customers.email', 'customers.*.email', 'lucia@', 'invalid'),
  replaced('customers.email', 'customers.*.email', '', 'blank'),
  replaced('customers.email', 'customers.*.email', 'test@example.com', 'possible_test_email_address'),
  replaced('customers.mobile', 'customers.*.mobile', '96 000 01', 'invalid_phone_number'),
  replaced('customers.mobile', 'customers.*.mobile', 'no tiene', 'invalid_phone_number'),
  replaced('customers.mobile', 'customers.*.mobile', 600_000_123, 'invalid'),
  replaced('customers.mobile', 'customers.*.mobile', '960-00-01-23', 'doubtful_phone_number'),
  replaced('customers.landline', 'customers.*.landline', '+34500000000', 'doubtful_phone_number'),
  replaced('customers.landline', 'customers.*.landline', '600000123 ext 4', 'invalid_phone_number'),
]

const details: readonly Fault[] = [
  replaced('customers.details', 'customers.*.user_details.0.value', '54362315Z', 'invalid_fiscal_code'),
  dropped('customers.details', 'customers.*.user_details.*.namespace'),
  found('customers.details', 'duplicate_user_details', (account, random) => {
    const path = choose(account, random, 'customers.*.user_details')
    if (path === undefined) return undefined
    const items = listAt(account, path)
    items.push(copyOf(items[0]))
    return `${path}.${items.length - 1}.namespace`
  }),
  replaced('customers.roles', 'customers.*.account_roles', 'ACCOUNT_HOLDER', 'not_a_list'),
  found('customers.roles', 'required_user_role', (account) => {
    if (!isOccupied(account)) return undefined
    for (const [index] of listAt(account, 'customers').entries())
      set(account, `customers.${index}.account_roles`, [])
    return 'customers'
  }),
]

/** Faults in customers. */
export const customerFaults: readonly Fault[] = [...customers, ...names, ...contact, ...details]
