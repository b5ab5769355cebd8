import type { AccountPayload } from '@account-import/core'
import { companyNumber } from '../identifiers/fiscal-code.js'
import { landlineNumber, mobileNumber } from '../identifiers/phone.js'
import type { Random } from '../random/random.js'
import { companyForms, companyWords, trades } from './names.js'
import { emailOf, fullName, somebody, type Person } from './person.js'

type Customer = NonNullable<AccountPayload['customers']>[number]

/** The owner of an account, and the recipient of its bills. */
export type Parties = Readonly<{ customers: readonly Customer[]; billingName: string }>

const detailsOf = ({ fiscalCode, familyNames: [first, second] }: Person): Customer['user_details'] => [
  { namespace: 'fiscal_code', value: fiscalCode },
  ...(first === undefined ? [] : [{ namespace: 'first_family_name', value: first }]),
  ...(second === undefined ? [] : [{ namespace: 'second_family_name', value: second }]),
]

const customerOf = (random: Random, person: Person, role: string, landlinePrefix: string): Customer => ({
  account_roles: [role],
  user_details: detailsOf(person) ?? [],
  given_name: person.givenName,
  family_name: person.familyNames.join(' '),
  email: emailOf(random, person),
  mobile: mobileNumber(random),
  ...(random.chance(0.4) && { landline: landlineNumber(random, landlinePrefix) }),
})

/** A household: the holder, and sometimes another person who may ask about the account. */
export const household = (random: Random, landlinePrefix: string): Parties => {
  const holder = somebody(random)
  const contacts = random.chance(0.12) ? [somebody(random)] : []
  return {
    customers: [
      customerOf(random, holder, 'ACCOUNT_HOLDER', landlinePrefix),
      ...contacts.map((person) => customerOf(random, person, 'AUTHORISED_CONTACT', landlinePrefix)),
    ],
    billingName: fullName(holder),
  }
}

/** A company, and its contact for energy. */
export const company = (random: Random, landlinePrefix: string): Parties => {
  const [form, letter] = random.pick(companyForms)
  const name = `${random.pick(trades)} ${random.pick(companyWords)} ${form}`
  const contact = somebody(random)
  return {
    customers: [
      {
        account_roles: ['ACCOUNT_HOLDER'],
        user_details: [{ namespace: 'fiscal_code', value: companyNumber(random, letter) }],
        family_name: name,
        email: emailOf(random, contact),
        landline: landlineNumber(random, landlinePrefix),
      },
      customerOf(random, contact, 'AUTHORISED_CONTACT', landlinePrefix),
    ],
    billingName: name,
  }
}
