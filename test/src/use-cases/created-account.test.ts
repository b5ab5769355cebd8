import test from 'ava'
import { instantOf, type AccountPayload } from '@account-import/core'
import { accountFromPayload } from '@account-import/core/testing'
import { gasKey, organisation, processGas, processing, right, service } from './support/service.js'

const least = {
  import_supplier: gasKey.importSupplier,
  external_account_number: gasKey.externalAccountNumber,
  unknown_occupier: true,
}

/** What an account has of which nothing was sent. */
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

const createdAt = instantOf(Date.parse('2025-09-01T10:00:00.500Z'))
const made = (fields: Partial<AccountPayload>): unknown =>
  accountFromPayload({ import_supplier: 'S', external_account_number: 'N', ...fields }, createdAt)

const transaction = {
  transaction_id: 'T',
  transaction_date: '2025-01-01',
  amount: 5,
  type: 'PAYMENT',
} as const
const keptTransaction = { ...transaction, amount: '5.00', line_items: [], tax_items: [] }
const point = { identifier: 'P', supply_type: 'GAS', supply_start_date: '2025-01-01' } as const
const address = {
  supply_address: { country: 'ES' },
  customer_at_supply_address_from_date: '2025-01-01',
} as const
const schedule = { means: 'DD', start_date: '2025-01-01' } as const

/** By what is sent: what is kept of it. The whole of a field is given. */
const kept: readonly (readonly [why: string, sent: object, kept: object])[] = [
  ['nothing', {}, {}],
  [
    'fields as they are, an empty text and a false one too',
    { account_type: 'BUSINESS', billing_name: '', sales_channel: 'X', communication_preference: 'PRINT' },
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
    'notes with all that was sent, their times with milliseconds',
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
    'ledgers without balances where none was sent',
    { ledgers: [{ ledger_code: 'L' }] },
    {
      ledgers: [
        { ledger_code: 'L', current_statement_transactions: [], historical_statement_transactions: [] },
      ],
    },
  ],
  [
    'money with two places, in balances, transactions and schedules',
    {
      ledgers: [
        {
          ledger_code: 'L',
          last_statement_balance: '-1.5',
          ledger_balance: 0,
          current_statement_transactions: [transaction],
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
          current_statement_transactions: [keptTransaction],
          historical_statement_transactions: [{ ...keptTransaction, transaction_id: 'H' }],
        },
      ],
      payment_schedules: [{ ...schedule, amount: '12.00', trigger: 'BILL' }],
    },
  ],
  [
    'items of transactions as they were sent',
    {
      ledgers: [
        {
          ledger_code: 'L',
          current_statement_transactions: [{ ...transaction, line_items: [{ a: 1 }], tax_items: [{ b: 2 }] }],
        },
      ],
    },
    {
      ledgers: [
        {
          ledger_code: 'L',
          current_statement_transactions: [
            { ...keptTransaction, line_items: [{ a: 1 }], tax_items: [{ b: 2 }] },
          ],
          historical_statement_transactions: [],
        },
      ],
    },
  ],
  [
    'schedules that are regular',
    { payment_schedules: [schedule] },
    { payment_schedules: [{ ...schedule, trigger: 'REGULAR' }] },
  ],
  [
    'statements, metadata and references as they are',
    {
      statements: [{ statement_id: 'S' }],
      metadata: [{ key: 'k', value: {} }],
      references: [{ namespace: 'n', value: 'v' }],
    },
    {
      statements: [{ statement_id: 'S' }],
      metadata: [{ key: 'k', value: {} }],
      references: [{ namespace: 'n', value: 'v' }],
    },
  ],
]
for (const [why, sent, fields] of kept)
  test(`an account is made of its payload, with the defaults that are documented: ${why}`, (t) => {
    t.deepEqual(made(sent as Partial<AccountPayload>), { ...nothing, ...fields })
  })

test('an account is created from what is staged, at the time of its creation, under its team', async (t) => {
  const { clock, ports, useCases } = await service()
  for (const account_type of ['DOMESTIC', 'BUSINESS'])
    await right(useCases.stageAccount({ organisation, payload: { ...least, account_type } }))
  clock.pass(60)
  const { platformAccountNumber } = await right(processing(useCases))
  t.deepEqual<unknown, unknown>(await right(ports.accounts.find(gasKey)), {
    key: gasKey,
    platformAccountNumber,
    operationsTeam: processGas.operations_team_name,
    stagedVersion: 2,
    createdAt: clock.now(),
    details: { ...nothing, account_type: 'BUSINESS', unknown_occupier: true },
  })
})
