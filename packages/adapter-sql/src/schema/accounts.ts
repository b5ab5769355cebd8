import { accountRowKey, importKey, instant, lengths, longText, money, texts, wrappedKey } from './columns.js'
import type { TableDefinition } from './create-table.js'

type Define = TableDefinition['define']

const account: Define = (table) => {
  importKey(table)
  table.string('platform_account_number', lengths.platformAccountNumber).notNullable()
  table.string('operations_team', lengths.operationsTeam).notNullable()
  table.integer('staged_version').notNullable()
  instant(table, 'created_at').notNullable()
  table.string('account_type', 64).notNullable()
  texts(table, 510, ['billing_name'])
  texts(table, 512, ['billing_address1', 'billing_address2', 'billing_address3'])
  texts(table, 512, ['billing_address4', 'billing_address5', 'billing_postcode'])
  table.string('sales_channel', 128).notNullable()
  texts(table, 255, ['sales_subchannel'])
  table.boolean('unknown_occupier').notNullable()
  table.string('communication_preference', 16).notNullable()
  table.primary(['organisation', 'import_supplier', 'platform_account_number'])
  instant(table, 'erased_at')
  wrappedKey(table, 'data_key')
  // Counts what was added to the account: every addition writes it, and nobody reads it.
  table.integer('additions').notNullable().defaultTo(0)
}

const customers: Define = (table) => {
  const key = accountRowKey(table)
  table.integer('ordinal').notNullable()
  longText(table, 'account_roles').notNullable()
  longText(table, 'user_details').notNullable()
  texts(table, 255, ['given_name', 'family_name', 'email'])
  texts(table, 32, ['mobile', 'landline'])
  table.primary([...key, 'ordinal'])
}

const supplyAddresses: Define = (table) => {
  const key = accountRowKey(table)
  table.integer('ordinal').notNullable()
  texts(table, 512, ['locality', 'administrative_area', 'postal_code'])
  table.string('country', 2).notNullable()
  table.boolean('has_street_address').notNullable()
  texts(table, 255, [
    'street_type',
    'street_name',
    'street_number',
    'door',
    'floor',
    'gate',
    'stair',
    'block',
  ])
  texts(table, 255, ['address_extra_info'])
  table.date('customer_at_supply_address_from_date').notNullable()
  table.primary([...key, 'ordinal'])
}

const supplyPoints: Define = (table) => {
  const key = accountRowKey(table)
  table.integer('address_ordinal').notNullable()
  table.integer('ordinal').notNullable()
  table.string('identifier', 64).notNullable()
  texts(table, 16, ['distributor_ree_code'])
  table.string('supply_type', 16).notNullable()
  table.date('supply_start_date').notNullable()
  table.date('last_billed_to_date')
  for (const name of ['atr_tariffs', 'readings', 'billable_items']) longText(table, name).notNullable()
  table.primary([...key, 'address_ordinal', 'ordinal'])
}

const agreements: Define = (table) => {
  const key = accountRowKey(table)
  for (const name of ['address_ordinal', 'point_ordinal', 'ordinal']) table.integer(name).notNullable()
  table.string('tariff_code', 255).notNullable()
  table.date('effective_from').notNullable()
  table.date('effective_to')
  texts(table, 16, ['cnae'])
  longText(table, 'contractual_max_power')
  texts(table, 32, ['annual_consumption'])
  table.bigInteger('estimated_monthly_fee_in_cents')
  texts(table, 255, ['social_bonus_identifier'])
  texts(table, 64, ['atr_type'])
  table.primary([...key, 'address_ordinal', 'point_ordinal', 'ordinal'])
}

const ledgers: Define = (table) => {
  const key = accountRowKey(table)
  table.integer('ordinal').notNullable()
  table.string('ledger_code', 128).notNullable()
  money(table, 'last_statement_balance')
  table.date('last_statement_closing_date')
  money(table, 'ledger_balance')
  table.primary([...key, 'ordinal'])
}

/** `period` is `current` or `historical`: the open statement period, or one that was billed. */
const transactions: Define = (table) => {
  const key = accountRowKey(table)
  table.integer('ledger_ordinal').notNullable()
  table.string('period', 16).notNullable()
  table.integer('ordinal').notNullable()
  table.string('transaction_id', 255).notNullable()
  table.date('transaction_date').notNullable()
  money(table, 'amount').notNullable()
  table.string('type', 16).notNullable()
  texts(table, 128, ['reason'])
  texts(table, 255, ['reference'])
  texts(table, 64, ['payment_type'])
  for (const name of ['display_note', 'note']) longText(table, name)
  texts(table, 255, ['product_code'])
  for (const name of ['line_items', 'tax_items']) longText(table, name).notNullable()
  table.integer('copy').notNullable()
  table.primary([...key, 'ledger_ordinal', 'period', 'ordinal'])
}

const statements: Define = (table) => {
  const key = accountRowKey(table)
  table.integer('ordinal').notNullable()
  table.date('bill_period_from_date').notNullable()
  table.date('bill_period_to_date').notNullable()
  texts(table, 1024, ['statement_path'])
  table.string('statement_id', 255).notNullable()
  texts(table, 16, ['supply_type'])
  table.date('issued_date')
  texts(table, 255, ['number'])
  money(table, 'gross_amount')
  table.primary([...key, 'ordinal'])
}

const notes: Define = (table) => {
  const key = accountRowKey(table)
  table.integer('ordinal').notNullable()
  longText(table, 'body')
  longText(table, 'document_paths').notNullable()
  instant(table, 'created_at').notNullable()
  table.boolean('is_pinned').notNullable()
  instant(table, 'unpin_at')
  table.string('content_digest', 64)
  table.string('identity_time', 20)
  table.primary([...key, 'ordinal'])
}

const paymentSchedules: Define = (table) => {
  const key = accountRowKey(table)
  table.integer('ordinal').notNullable()
  table.string('means', 16).notNullable()
  table.date('start_date').notNullable()
  table.date('end_date')
  table.string('payment_trigger', 16).notNullable()
  money(table, 'amount')
  texts(table, 16, ['frequency'])
  table.integer('day_of_month')
  table.primary([...key, 'ordinal'])
}

const accountReferences: Define = (table) => {
  const key = accountRowKey(table)
  table.integer('ordinal').notNullable()
  table.string('namespace', 50).notNullable()
  table.string('value', 100).notNullable()
  table.primary([...key, 'ordinal'])
}

const accountMetadata: Define = (table) => {
  const key = accountRowKey(table)
  table.integer('ordinal').notNullable()
  table.string('metadata_key', 1024).notNullable()
  longText(table, 'value').notNullable()
  table.primary([...key, 'ordinal'])
}

const paymentInstructions: Define = (table) => {
  const key = accountRowKey(table)
  table.integer('ordinal').notNullable()
  table.string('vendor', 64).notNullable()
  table.string('reference', 512).notNullable()
  table.string('type', 16).notNullable()
  longText(table, 'details').notNullable()
  instant(table, 'created_at').notNullable()
  table.primary([...key, 'ordinal'])
}

const encryptedDetails: Define = (table) => {
  const key = accountRowKey(table)
  table.integer('ordinal').notNullable()
  longText(table, 'content').notNullable()
  table.primary([...key, 'ordinal'])
}

const accountKey = ['organisation', 'import_supplier', 'platform_account_number']

/** The tables that a created account consists of; every row begins with its supplier and keeps its place in the payload. */
export const accounts: readonly TableDefinition[] = [
  {
    name: 'accounts',
    define: account,
    unique: [
      {
        name: 'accounts_by_import',
        columns: ['organisation', 'import_supplier', 'external_account_number'],
      },
      // A number names one account of the whole platform: the key that guards it is not an organisation's.
      { name: 'accounts_by_number', columns: ['platform_account_number'] },
    ],
  },
  { name: 'customers', define: customers },
  { name: 'supply_addresses', define: supplyAddresses },
  { name: 'supply_points', define: supplyPoints },
  { name: 'agreements', define: agreements },
  { name: 'ledgers', define: ledgers },
  {
    name: 'transactions',
    define: transactions,
    unique: [{ name: 'transactions_by_id', columns: [...accountKey, 'transaction_id', 'copy'] }],
  },
  {
    name: 'statements',
    define: statements,
    unique: [{ name: 'statements_by_id', columns: [...accountKey, 'statement_id'] }],
  },
  {
    name: 'notes',
    define: notes,
    unique: [{ name: 'notes_by_content', columns: [...accountKey, 'content_digest', 'identity_time'] }],
  },
  { name: 'payment_schedules', define: paymentSchedules },
  {
    name: 'payment_instructions',
    define: paymentInstructions,
    unique: [{ name: 'payment_instructions_by_reference', columns: [...accountKey, 'vendor', 'reference'] }],
  },
  { name: 'account_references', define: accountReferences },
  { name: 'account_metadata', define: accountMetadata },
  { name: 'encrypted_details', define: encryptedDetails },
]
