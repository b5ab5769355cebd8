import type { Knex } from 'knex'
import { accountRowKey, importKey, instant, lengths, longText, money, texts } from './columns.js'
import { createTable } from './create-table.js'
import type { Step } from './schema-dialect.js'

type Define = (table: Knex.CreateTableBuilder) => void

const accounts: Define = (table) => {
  const key = importKey(table)
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
  table.unique(key, { indexName: 'accounts_by_import' })
  // A number names one account of the whole platform: the key that guards it is not an organisation's.
  table.unique(['platform_account_number'], { indexName: 'accounts_by_number' })
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

/** What a created account consists of; every row begins with its supplier and keeps its place in the payload. */
const definitions: readonly (readonly [string, Define])[] = [
  ['accounts', accounts],
  ['customers', customers],
  ['supply_addresses', supplyAddresses],
  ['supply_points', supplyPoints],
  ['agreements', agreements],
  ['ledgers', ledgers],
  ['transactions', transactions],
  ['statements', statements],
  ['notes', notes],
  ['payment_schedules', paymentSchedules],
  ['account_references', accountReferences],
  ['account_metadata', accountMetadata],
]

export const up: Step = async (knex, schema) => {
  for (const [name, define] of definitions) await createTable(knex, schema, name, define)
}
