import { FAILED } from '../codec/failed.js'
import { isBlank } from '../codec/scan-text.js'
import { each } from './combine.js'
import { below } from './key-path.js'
import type { Readable } from './readable.js'
import type { AccountRule, ObjectRule } from './rule.js'

const customersAt = below(undefined, 'customers')

const familyName: ObjectRule<Readable<{ family_name?: string }>> = ({ family_name }, at, findings) => {
  if (family_name === undefined || (family_name !== FAILED && isBlank(family_name)))
    findings.add('customer_family_name_required', at, 'family_name')
}

const familyNames = each(familyName)

/** Customers of a domestic account, which is the default type, have a family name. */
export const domesticFamilyNames: AccountRule = ({ account_type, customers }, findings) => {
  if (account_type === undefined || account_type === 'DOMESTIC') familyNames(customers, customersAt, findings)
}
