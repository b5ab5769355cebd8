import { type AccountPayload, instantOf } from '@account-import/core'
import { accountFormat, accountFromPayload } from '@account-import/core/adapter-kit'
import test from 'ava'
import { createHash } from 'node:crypto'
import { sample } from '../support/samples.js'

const createdAt = instantOf(Date.parse('2025-09-01T10:00:00.500Z'))

/** Every default. Details of accounts that exist may never change, so a row of this test is never edited: a format is added. */
const nothing = {
  account_type: 'DOMESTIC',
  customers: [],
  supply_addresses: [],
  notes: [],
  ledgers: [],
  transactions_without_ledger: [],
  payment_schedules: [],
  statements: [],
  payment_instructions: [],
  metadata: [],
  references: [],
  sales_channel: 'DIRECT',
  unknown_occupier: false,
  communication_preference: 'ONLINE',
}

const transaction = {
  transaction_id: 'T',
  transaction_date: '2025-01-01',
  amount: 5,
  type: 'PAYMENT',
} as const
const keptTransaction = { ...transaction, amount: '5.00', line_items: [], tax_items: [] }
const items = { line_items: [{ a: 1 }], tax_items: [{ b: 2 }] }
const point = {
  identifier: 'P',
  supply_type: '375c1b67475933d820fdf69b34e2b566ca5fbfc5353484f68dc27bbd24149750',
  supply_start_date: '2025-01-01',
} as const
const address = {
  supply_address: { country: 'ES' },
  customer_at_supply_address_from_date: '2025-01-01',
} as const
const schedule = { means: 'DD', start_date: '2025-01-01' } as const

/** Fields of a payload, and the details that format 1 gives for them; those of the payload where none are given. */
const firstFormat: readonly (readonly [what: string, sent: object, details?: object])[] = [
  ['nothing', {}],
  [
    'fields unchanged, an empty text and false too',
    { account_type: 'BUSINESS', billing_name: '', sales_channel: 'X', communication_preference: 'PRINT' },
  ],
  [
    'customers with empty lists',
    {
      customers: [
        { given_name: 'A' },
        { account_roles: ['R'], user_details: [{ namespace: 'n', value: 'v' }] },
      ],
    },
    {
      customers: [
        { given_name: 'A', account_roles: [], user_details: [] },
        { account_roles: ['R'], user_details: [{ namespace: 'n', value: 'v' }] },
      ],
    },
  ],
  [
    'supply points with empty lists',
    { supply_addresses: [{ ...address, supply_points: [point] }] },
    {
      supply_addresses: [
        {
          ...address,
          supply_points: [{ ...point, atr_tariffs: [], agreements: [], readings: [], billable_items: [] }],
        },
      ],
    },
  ],
  [
    'notes that are not pinned, of the time of creation',
    { notes: [{ body: 'B' }] },
    { notes: [{ body: 'B', document_paths: [], created_at: createdAt, is_pinned: false }] },
  ],
  [
    'notes with all fields, their times with milliseconds',
    {
      notes: [
        {
          document_paths: [{ document_path: 'a' }],
          created_at: '2024-11-05T09:30:00Z',
          is_pinned: true,
          unpin_at: '2025-11-05T09:30:00Z',
        },
      ],
    },
    {
      notes: [
        {
          document_paths: [{ document_path: 'a' }],
          created_at: '2024-11-05T09:30:00.000Z',
          is_pinned: true,
          unpin_at: '2025-11-05T09:30:00.000Z',
        },
      ],
    },
  ],
  [
    'ledgers without balances when none was sent',
    { ledgers: [{ ledger_code: 'L' }] },
    {
      ledgers: [
        { ledger_code: 'L', current_statement_transactions: [], historical_statement_transactions: [] },
      ],
    },
  ],
  [
    'money with two places, in balances, transactions and schedules, and items of transactions as they were sent',
    {
      ledgers: [
        {
          ledger_code: 'L',
          last_statement_balance: '-1.5',
          ledger_balance: 0,
          current_statement_transactions: [{ ...transaction, ...items }],
          historical_statement_transactions: [{ ...transaction, transaction_id: 'H' }],
        },
      ],
      payment_schedules: [{ ...schedule, amount: '12', trigger: 'BILL' }],
    },
    {
      ledgers: [
        {
          ledger_code: 'L',
          last_statement_balance: '-1.50',
          ledger_balance: '0.00',
          current_statement_transactions: [{ ...keptTransaction, ...items }],
          historical_statement_transactions: [{ ...keptTransaction, transaction_id: 'H' }],
        },
      ],
      payment_schedules: [{ ...schedule, amount: '12.00', trigger: 'BILL' }],
    },
  ],
  [
    'schedules that are regular',
    { payment_schedules: [schedule] },
    { payment_schedules: [{ ...schedule, trigger: 'REGULAR' }] },
  ],
  [
    'statements, metadata and references unchanged',
    {
      statements: [{ statement_id: 'S' }],
      metadata: [{ key: 'k', value: {} }],
      references: [{ namespace: 'n', value: 'v' }],
    },
  ],
]

const formats = [firstFormat]

for (const [index, rows] of formats.entries())
  for (const [what, sent, details = sent] of rows)
    test(`accounts of format ${index + 1} have the details that they were created with: ${what}`, (t) => {
      const payload = { import_supplier: 'S', external_account_number: 'N', ...sent } as AccountPayload
      t.deepEqual<unknown, unknown>(accountFromPayload(payload, createdAt, index + 1), {
        ...nothing,
        ...details,
      })
    })

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

for (const [name, digest] of [
  ['gas-account', '375c1b67475933d820fdf69b34e2b566ca5fbfc5353484f68dc27bbd24149750'],
  ['electricity-account', 'fa29c4e7e2f647a44e241435b1b5305bf2607a01efeb9659f387910793203bbe'],
] as const)
  test(`accounts of format 1 have the details that they were created with: the sample ${name}`, (t) => {
    const payload = sample(`${name}.json`) as unknown as AccountPayload
    t.is(sha256(JSON.stringify(accountFromPayload(payload, createdAt, 1))), digest)
  })

test('new accounts have the last format, and each format has rows in this test', (t) => {
  t.is(formats.length, accountFormat)
  const payload = { import_supplier: 'S', external_account_number: 'N' }
  t.deepEqual(accountFromPayload(payload, createdAt), accountFromPayload(payload, createdAt, accountFormat))
})

test('an earlier release does not read an account of a later format', async (t) => {
  const payload = { import_supplier: 'S', external_account_number: 'N' }
  for (const format of [0, accountFormat + 1])
    await t.throwsAsync(async () => accountFromPayload(payload, createdAt, format), { message: /format/ })
})
