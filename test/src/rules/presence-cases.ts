import {
  current,
  historical,
  holder,
  inBothLists,
  line,
  transaction,
  withCurrent,
  withCustomers,
  withHistorical,
} from '../support/account-parts.js'
import type { RuleCases } from './support.js'

const customer = 'customers.0'
const charge = (fields: Readonly<Record<string, unknown>>) => () =>
  transaction({ type: 'SUPPLY_CHARGE', product_code: 'P', line_items: [line()], ...fields })

/** Customers and supply charges, and the fields that depend on them. */
export const presenceCases: readonly RuleCases[] = [
  {
    code: 'required',
    under: current,
    fires: [
      ['no customers', { unknown_occupier: undefined }, 'customers'],
      ['no customers of a known occupier', { unknown_occupier: false }, 'customers'],
      ...inBothLists(charge({ product_code: undefined })).map(
        ([list, fields]) => ['no product of a supply charge', fields, `${list}.0.product_code`] as const,
      ),
      ...inBothLists(charge({ line_items: undefined })).map(
        ([list, fields]) => ['no lines of a supply charge', fields, `${list}.0.line_items`] as const,
      ),
    ],
    silent: [
      ['unknown occupier', { unknown_occupier: true }],
      ['unknown_occupier null', { unknown_occupier: null }, ['unknown_occupier null']],
      ['unreadable customers', { customers: {} }, ['customers not_a_list']],
      ['another type', withCurrent(charge({ type: 'PAYMENT', product_code: undefined })())],
      [
        'an unreadable type',
        withCurrent(charge({ type: 'X', product_code: undefined, line_items: undefined })()),
        ['.0.type invalid_choice'],
      ],
      [
        'unreadable parts',
        withCurrent(charge({ product_code: ' ', line_items: null })()),
        ['.0.product_code blank', '.0.line_items null'],
      ],
    ],
  },
  {
    code: 'empty',
    fires: [
      ['no customer', withCustomers(), 'customers'],
      ['no customer of a known occupier', { customers: [], unknown_occupier: false }, 'customers'],
      ...inBothLists(charge({ line_items: [] })).map(
        ([list, fields]) => ['no line of a supply charge', fields, `${list}.0.line_items`] as const,
      ),
    ],
    silent: [
      ['unknown occupier', { customers: [], unknown_occupier: true }],
      ['unknown_occupier null', { customers: [], unknown_occupier: 1 }, ['unknown_occupier invalid']],
      ['another type', withHistorical(charge({ type: 'PAYMENT', line_items: [] })())],
    ],
  },
  {
    code: 'customer_with_unknown_occupier',
    fires: [
      ['a customer', { customers: [holder()], unknown_occupier: true }, 'customers'],
      [
        'a customer, even unreadable',
        { customers: [null], unknown_occupier: true },
        'customers',
        ['customers.0 null'],
      ],
    ],
    silent: [
      ['known', { customers: [holder()], unknown_occupier: false }],
      ['unknown_occupier absent', { customers: [holder()] }],
      ['unreadable', { customers: [holder()], unknown_occupier: 'true' }, ['unknown_occupier invalid']],
      ['unreadable customers', { customers: 1, unknown_occupier: true }, ['customers not_a_list']],
    ],
  },
  {
    code: 'customer_family_name_required',
    under: customer,
    fires: [
      ['absent', withCustomers(holder({ family_name: undefined })), '.family_name'],
      ['blank', withCustomers(holder({ family_name: ' \u3000' })), '.family_name'],
      [
        'DOMESTIC, the second too',
        { account_type: 'DOMESTIC', customers: [holder({ family_name: '' }), {}] },
        ['.family_name', 'customers.1.family_name'],
      ],
    ],
    silent: [
      ['given', withCustomers(holder())],
      ['another type', { account_type: 'BUSINESS', customers: [holder({ family_name: undefined })] }],
      ['a type like it', { account_type: 'DOMESTIC_VACANT', customers: [holder({ family_name: '' })] }],
      [
        'unreadable type',
        { account_type: 'X', customers: [holder({ family_name: undefined })] },
        ['account_type invalid_choice'],
      ],
      [
        'unreadable name, unreadable customer',
        withCustomers(holder({ family_name: null }), null),
        ['.family_name null', 'customers.1 null'],
      ],
    ],
  },
  {
    code: 'required_user_role',
    under: customer,
    isWarning: true,
    fires: [
      ['no roles', withCustomers(holder({ account_roles: undefined })), 'customers'],
      ['an empty list', withCustomers(holder({ account_roles: [] })), 'customers'],
      ['other roles', withCustomers(holder({ account_roles: ['X'] }), { family_name: 'B' }), 'customers'],
      ['another spelling', withCustomers(holder({ account_roles: ['account_holder'] })), 'customers'],
    ],
    silent: [
      ['one has it', withCustomers({ family_name: 'A' }, holder())],
      ['among others', withCustomers(holder({ account_roles: ['X', 'ACCOUNT_HOLDER'] }))],
      ['no customer', { customers: [], unknown_occupier: true }],
      ['unreadable roles', withCustomers(holder({ account_roles: null })), ['.account_roles null']],
      [
        'one unreadable role',
        withCustomers(holder({ account_roles: ['X', ' '] })),
        ['.account_roles.1 blank'],
      ],
      [
        'one unreadable customer',
        withCustomers(holder({ account_roles: ['X'] }), 1),
        ['customers.1 not_a_dict'],
      ],
    ],
  },
  {
    code: 'transaction_reason_missing',
    isWarning: true,
    fires: ['CHARGE', 'CREDIT'].flatMap((type) =>
      inBothLists(() => transaction({ type })).map(
        ([list, fields]) => [type, fields, `${list}.0.reason`] as const,
      ),
    ),
    silent: [
      ...['PAYMENT', 'REPAYMENT'].map((type) => [type, withCurrent(transaction({ type }))] as const),
      ['SUPPLY_CHARGE', withCurrent(charge({})())],
      ...inBothLists(() => transaction({ type: 'CHARGE', reason: 'R' })).map(
        ([, fields]) => ['given', fields] as const,
      ),
      [
        'unreadable reason',
        withHistorical(transaction({ type: 'CREDIT', reason: ' ' })),
        [`${historical}.0.reason blank`],
      ],
      ['unreadable type', withCurrent(transaction({ type: 'credit' })), [`${current}.0.type invalid_choice`]],
    ],
  },
]
