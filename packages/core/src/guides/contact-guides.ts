import type { Guides } from '../catalogue/guide.js'
import { customerPath } from './paths.js'

/** Telephone numbers and e-mail addresses. */
export const contactGuides = {
  invalid_phone_number: {
    means:
      'The text cannot be a telephone number of any country. Numbers without + are read as Spanish ones, unless the service is set up for another country.',
    causes: [
      'Digits are missing, or two numbers stand in one field.',
      'An extension or a remark follows the number.',
      'A foreign number lacks its country code.',
    ],
    fix: [
      'Send one number, with + and the country code if it is foreign.',
      'Put extensions and remarks into a note, and leave the field out if no number remains.',
    ],
    at: ['customers.N.mobile', 'customers.N.landline'],
    example: {
      in: customerPath,
      bad: { landline: '96 000 01' },
      good: { landline: '960 00 01 23' },
    },
    related: ['doubtful_phone_number'],
  },
  doubtful_phone_number: {
    means:
      'The number has a possible length, but no such number is in use, or it is no mobile number in the field for mobile numbers.',
    causes: [
      'Landline numbers were migrated into the mobile field.',
      'Numbers of an old numbering plan, or invented to fill the field.',
    ],
    fix: [
      'Move landline numbers to landline.',
      'Ask the customer, or leave the field out if the number is an invention.',
    ],
    at: ['customers.N.mobile', 'customers.N.landline'],
    example: {
      in: customerPath,
      bad: { mobile: '960 00 01 23' },
      good: { mobile: '600 000 123' },
    },
    related: ['invalid_phone_number'],
  },
  possible_test_email_address: {
    means:
      'The address looks made up: test@ or xxx@ before the sign, test.com behind it, or a domain that cannot receive mail.',
    causes: [
      'Agents typed a dummy to get past a mandatory field.',
      'Data of a test system is in the export.',
    ],
    fix: [
      'Leave the address out if the real one is not known.',
      'Check that the export reads the production system.',
    ],
    at: ['customers.N.email'],
    example: {
      in: customerPath,
      bad: { email: 'test@example.com' },
      good: { email: 'joan.ferrer@example.org' },
    },
    related: ['internal_email_address', 'invalid'],
  },
  internal_email_address: {
    means:
      "The address belongs to a domain that the operator marked as the supplier's or platform's own, or to a subdomain of one.",
    causes: ['Shops and call centres enter their own address when the customer has none.'],
    fix: ["Give the customer's own address, or leave the field out."],
    at: ['customers.N.email'],
    example: {
      in: customerPath,
      bad: { email: 'oficina.valencia@levante.example' },
      good: { email: 'joan.ferrer@example.org' },
      setting: {
        options: '--internal-email-domain levante.example',
        rules: { internalEmailDomains: ['levante.example'] },
      },
    },
    related: ['possible_test_email_address'],
  },
} satisfies Guides
