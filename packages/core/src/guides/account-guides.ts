import type { Guides } from '../catalogue/guide.js'
import { addressPath, customerPath } from './paths.js'

const holder = { account_roles: ['ACCOUNT_HOLDER'], family_name: 'Ferrer' }

const supplyPoint = (identifier: string) => ({
  identifier,
  supply_type: 'ELECTRICITY',
  supply_start_date: '2024-01-01',
  agreements: [{ tariff_code: 'LUZ-2024', effective_from: '2024-01-01' }],
})
const [first, second] = [supplyPoint('ES0021000012345678LB'), supplyPoint('ES1234123456789012JY')]

const entry = (locality: string, supplyPoints: readonly object[]) => ({
  supply_address: { locality, country: 'ES' },
  customer_at_supply_address_from_date: '2024-01-01',
  supply_points: supplyPoints,
})

/** Customers, addresses, and what may stand in a payload only once. */
export const accountGuides = {
  customer_with_unknown_occupier: {
    means: 'The account says that nobody is known to occupy the property, and yet names customers.',
    causes: [
      'The flag stayed when a new customer moved in.',
      'The former customer was exported with a vacant property.',
    ],
    fix: [
      'If the customers live there, set unknown_occupier to false or leave it out.',
      'If nobody does, leave customers out.',
    ],
    at: ['customers'],
    example: {
      in: '',
      bad: { customers: [holder], unknown_occupier: true },
      good: { customers: [holder], unknown_occupier: false },
    },
    related: ['empty', 'occupier_account_with_multiple_supply_addresses'],
  },
  customer_family_name_required: {
    means:
      'The account is domestic, which it also is when account_type is absent, and a customer has no family name.',
    causes: [
      'The source keeps the whole name in one field.',
      'The account belongs to a company and lacks its account_type.',
    ],
    fix: [
      'Split the name: the family name goes into family_name.',
      'For companies set account_type to BUSINESS.',
    ],
    at: ['customers.N.family_name'],
    example: {
      in: '',
      bad: { customers: [{ account_roles: ['ACCOUNT_HOLDER'], given_name: 'Joan Ferrer' }] },
      good: { customers: [{ account_roles: ['ACCOUNT_HOLDER'], given_name: 'Joan', family_name: 'Ferrer' }] },
    },
    related: ['required', 'required_user_role'],
  },
  required_user_role: {
    means: 'None of the customers has the role ACCOUNT_HOLDER, so it is not clear who the contract is with.',
    causes: ['Roles were not exported.', 'The old word for the holder (TITULAR) was sent without a mapping.'],
    fix: [
      'Map the role of the contract holder to ACCOUNT_HOLDER.',
      'Give it to exactly the customers who signed.',
    ],
    at: ['customers'],
    example: {
      in: '',
      bad: { customers: [{ account_roles: ['TITULAR'], family_name: 'Ferrer' }] },
      good: { customers: [holder] },
    },
    related: ['customer_family_name_required', 'empty'],
  },
  occupier_account_with_multiple_supply_addresses: {
    means:
      'An account whose occupier is unknown has more than one supply address. Such accounts stand for one property.',
    causes: ['Vacant properties of one landlord were gathered under one account.'],
    fix: [
      'Make one account for each property.',
      'If a landlord or company pays for all of them, name it as customer and drop unknown_occupier.',
    ],
    at: ['supply_addresses'],
    example: {
      in: '',
      bad: {
        customers: [],
        supply_addresses: [entry('Barcelona', [first]), entry('Valencia', [second])],
        unknown_occupier: true,
      },
      good: { customers: [], supply_addresses: [entry('Barcelona', [first])], unknown_occupier: true },
    },
    related: ['customer_with_unknown_occupier', 'duplicate_supply_addresses_found'],
  },
  duplicate_supply_addresses_found: {
    means: 'Two entries of supply_addresses have exactly the same address.',
    causes: [
      'The export writes one entry for each supply point, so gas and electricity of one home appear apart.',
    ],
    fix: [
      'Join the entries: one address with all of its supply points.',
      'If they are two homes, add what tells them apart, such as door or floor.',
    ],
    at: ['supply_addresses.N.supply_address'],
    example: {
      in: '',
      bad: { supply_addresses: [entry('Barcelona', [first]), entry('Barcelona', [second])] },
      good: { supply_addresses: [entry('Barcelona', [first, second])] },
    },
    related: ['duplicate_supply_points_found', 'supply_address_without_supply_points'],
  },
  duplicate_supply_points_found: {
    means:
      'The same supply point stands in the payload twice. Blanks, hyphens and case do not make a difference.',
    causes: [
      'Each contract period of the supply point was exported as a supply point of its own.',
      'The identifier was copied to the wrong contract.',
    ],
    fix: [
      'Keep one supply point, and give it the agreements of all periods.',
      'If they are two, correct the wrong identifier.',
    ],
    at: ['supply_addresses.N.supply_points.N.identifier'],
    example: {
      in: addressPath,
      bad: { supply_points: [first, supplyPoint('es 0021 0000 1234 5678 lb')] },
      good: { supply_points: [first, second] },
    },
    related: ['duplicate_supply_addresses_found', 'agreement_dates_overlap'],
  },
  duplicate_atr_tariff_dates: {
    means: 'Two access tariffs of a supply point begin on the same day, so it is not clear which one holds.',
    causes: [
      'A correction was added to the history and the wrong entry stayed.',
      'The reform of 2021 was recorded with the old and the new name.',
    ],
    fix: ['Keep the tariff that was billed, and remove the other one.', 'Or correct the day of one of them.'],
    at: ['supply_addresses.N.supply_points.N.atr_tariffs.N.valid_from'],
    example: {
      in: 'supply_addresses.0.supply_points.0',
      bad: {
        atr_tariffs: [
          { value: '2.0TD', valid_from: '2024-01-01' },
          { value: '3.0TD', valid_from: '2024-01-01' },
        ],
      },
      good: {
        atr_tariffs: [
          { value: '2.0TD', valid_from: '2024-01-01' },
          { value: '3.0TD', valid_from: '2025-01-01' },
        ],
      },
    },
    related: ['unknown_atr_tariff'],
  },
  duplicate_user_details: {
    means: 'A customer has two details of the same namespace.',
    causes: [
      'The fiscal code was changed and the history of the field exported.',
      'Two systems were merged, each with a value.',
    ],
    fix: ['Keep the value in force today.', 'Put former values into a note or metadata.'],
    at: ['customers.N.user_details.N.namespace'],
    example: {
      in: customerPath,
      bad: {
        user_details: [
          { namespace: 'fiscal_code', value: '12345678Z' },
          { namespace: 'fiscal_code', value: '87654321X' },
        ],
      },
      good: {
        user_details: [
          { namespace: 'fiscal_code', value: '12345678Z' },
          { namespace: 'first_family_name', value: 'Ferrer' },
        ],
      },
    },
    related: ['invalid_fiscal_code', 'metadata_has_duplicate_keys'],
  },
  metadata_has_duplicate_keys: {
    means: 'Two items of metadata have the same key. Keys are compared exactly.',
    causes: ['Metadata of several source tables was joined, and each has a key such as status.'],
    fix: ['Put the name of the source into the key.', 'Or gather the values in one object under one key.'],
    at: ['metadata.N.key'],
    example: {
      in: '',
      bad: {
        metadata: [
          { key: 'status', value: { crm: 'A' } },
          { key: 'status', value: { erp: '7' } },
        ],
      },
      good: { metadata: [{ key: 'status', value: { crm: 'A', erp: '7' } }] },
    },
    related: ['duplicate_references'],
  },
  duplicate_references: {
    means: 'Two references have the same namespace and the same value.',
    causes: ['A join multiplied the rows.'],
    fix: ['Remove the repeat.', 'If two systems use the same value, give each its own namespace.'],
    at: ['references.N.value'],
    example: {
      in: '',
      bad: {
        references: [
          { namespace: 'levante.crm.contract', value: 'C-771904' },
          { namespace: 'levante.crm.contract', value: 'C-771904' },
        ],
      },
      good: {
        references: [
          { namespace: 'levante.crm.contract', value: 'C-771904' },
          { namespace: 'levante.erp.partner', value: 'C-771904' },
        ],
      },
    },
    related: ['metadata_has_duplicate_keys'],
  },
} satisfies Guides
