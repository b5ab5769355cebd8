import type { AccountPayload } from '@account-import/core'
import { companyNumber, foreignerNumber, nationalNumber } from './identifiers.js'
import { between, chance, digits, faker, pick } from './random.js'

type Customer = NonNullable<AccountPayload['customers']>[number]

const lastName = (): string => faker.helpers.fake('{{person.last_name.generic}}')

/** A number in one of the usual spellings; three zeros in its middle, as in numbers made up for documents. */
const phone = (start: string): string =>
  pick(['', '+34', '+34 ']) + start + pick(['000', ' 000 ']) + digits(3)

const person = (role: string): Customer => {
  const [firstName, first, second] = [faker.person.firstName(), lastName(), lastName()]
  const fiscalCode = chance(0.06) ? foreignerNumber() : nationalNumber()
  return {
    account_roles: [role],
    user_details: [
      { namespace: 'fiscal_code', value: fiscalCode },
      { namespace: 'first_family_name', value: first },
      { namespace: 'second_family_name', value: second },
    ],
    given_name: firstName,
    family_name: `${first} ${second}`,
    email: faker.internet.exampleEmail({ firstName, lastName: first }),
    mobile: phone(`6${digits(2)}`),
    ...(chance(0.4) && { landline: phone('960') }),
  }
}

/** The holder, and sometimes another person who may ask about the account. */
export const household = (): readonly Customer[] => [
  person('ACCOUNT_HOLDER'),
  ...(chance(0.12) ? [person('AUTHORISED_CONTACT')] : []),
]

/** The forms of companies, with the letter that their numbers begin with. */
const forms = [
  ['SL', 'B'],
  ['SA', 'A'],
  ['S. Coop.', 'F'],
] as const

/** A company, and its contact for energy. */
export const company = (): readonly Customer[] => {
  const [form, letter] = pick(forms)
  const contact = person('AUTHORISED_CONTACT')
  const user_details = [{ namespace: 'fiscal_code', value: companyNumber(letter) }]
  const family_name = `${lastName()} y ${lastName()} ${form}`
  const email = faker.internet.exampleEmail()
  return [
    { account_roles: ['ACCOUNT_HOLDER'], user_details, family_name, email, landline: phone('960') },
    contact,
  ]
}

/** Locality, area, the beginning of its postal codes, and the distributors of electricity and gas that a CUPS begins with. */
const towns = [
  ['Valencia', 'Valencia', '460', '0021', '0222'],
  ['Castelló de la Plana', 'Castellón', '120', '0021', '0222'],
  ['Madrid', 'Madrid', '280', '0022', '0234'],
  ['Barcelona', 'Barcelona', '080', '0031', '0217'],
  ['Zaragoza', 'Zaragoza', '500', '0029', '0238'],
  ['Sevilla', 'Sevilla', '410', '0024', '0218'],
  ['Oviedo', 'Asturias', '330', '0026', '0230'],
  ['A Coruña', 'A Coruña', '150', '0022', '0225'],
] as const

/** A place of supply, the address of its bills, and the distributors there. */
export const somePlace = () => {
  const [locality, administrative_area, postcode, ELECTRICITY, GAS] = pick(towns)
  const [street_name, street_number] = [faker.person.fullName(), String(between(1, 180))]
  const postal_code = postcode + digits(2)
  const flat = chance(0.8) && { door: digits(1), floor: digits(1), ...(chance(0.15) && { stair: 'A' }) }
  const structured_street_address = { street_type: 'CL', street_name, street_number, ...flat }
  return {
    address: { locality, administrative_area, postal_code, country: 'ES', structured_street_address },
    billing: {
      billing_address1: `Calle ${street_name} ${street_number}`,
      ...(chance(0.1) && { billing_address2: 'Apartado de correos 12' }),
      billing_address4: locality,
      billing_address5: administrative_area,
      billing_postcode: postal_code,
    },
    distributors: { ELECTRICITY, GAS },
  }
}
