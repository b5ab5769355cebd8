import { createHash } from 'node:crypto'
import type { AccountPayload } from '@account-import/core'
import type { Execute } from './database.js'

/** The columns of each table that an account has rows in, besides those of `keyColumns`. */
const columnsOf = {
  accounts:
    'external_account_number operations_team staged_version created_at account_type sales_channel unknown_occupier ' +
    'communication_preference billing_name billing_address1 billing_address2 billing_address3 billing_address4 ' +
    'billing_address5 billing_postcode sales_subchannel',
  customers: 'ordinal account_roles user_details given_name family_name email mobile landline',
  notes: 'ordinal body document_paths created_at is_pinned unpin_at content_digest identity_time',
  account_references: 'ordinal namespace value',
  account_metadata: 'ordinal metadata_key value',
  supply_addresses:
    'ordinal locality administrative_area postal_code country has_street_address street_type street_name street_number ' +
    'door floor gate stair block address_extra_info customer_at_supply_address_from_date',
  supply_points:
    'address_ordinal ordinal identifier distributor_ree_code supply_type supply_start_date last_billed_to_date ' +
    'atr_tariffs readings billable_items',
  agreements:
    'address_ordinal point_ordinal ordinal tariff_code effective_from effective_to cnae contractual_max_power ' +
    'annual_consumption estimated_monthly_fee_in_cents social_bonus_identifier atr_type',
  ledgers: 'ordinal ledger_code last_statement_balance last_statement_closing_date ledger_balance',
  transactions:
    'ledger_ordinal period ordinal transaction_id transaction_date amount type reason reference payment_type ' +
    'display_note note product_code line_items tax_items',
  statements: 'ordinal bill_period_from_date bill_period_to_date statement_path statement_id supply_type',
  payment_schedules: 'ordinal means start_date end_date payment_trigger amount frequency day_of_month',
} as const

const keyColumns = ['organisation', 'import_supplier', 'platform_account_number'] as const

export type AccountKey = Readonly<Record<(typeof keyColumns)[number], string>>

type Entry = Readonly<Record<string, unknown>>

/** The rows of one table, to be inserted by one statement. */
export type Rows = Readonly<{ insert: string; rows: readonly (readonly unknown[])[] }>

const columnValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null)

/** Takes the columns of the table from each entry: lists and objects as JSON, and NULL for what is missing. */
export const rowsOf = (table: keyof typeof columnsOf, key: AccountKey, entries: readonly Entry[]): Rows => {
  const columns = [...keyColumns, ...columnsOf[table].split(' ')]
  return {
    insert: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`,
    rows: entries.map((entry) => {
      const row: Entry = { ...entry, ...key }
      return columns.map((name) => columnValue(row[name]))
    }),
  }
}

export const insertRows = async (execute: Execute, { insert, rows }: Rows): Promise<void> => {
  if (rows.length > 0) await execute(insert, [rows])
}

const numbered = <A>(entries: readonly A[] = []): readonly (A & Readonly<{ ordinal: number }>)[] =>
  entries.map((entry, ordinal) => ({ ...entry, ordinal }))

const sqlTime = (text: string | undefined): string | undefined => text?.slice(0, 19).replace('T', ' ')

type Note = NonNullable<AccountPayload['notes']>[number]

/** The hash by which the service tells notes apart; the samples have no two equal notes. */
const noteDigest = ({ body, document_paths }: Note): string => {
  const paths = JSON.stringify(document_paths?.map(({ document_path }) => document_path))
  return createHash('sha256')
    .update(body === undefined ? `documents:${paths}` : `body:${body}`)
    .digest('hex')
}

const noteEntry = (note: Note, now: string): Entry => ({
  document_paths: [],
  is_pinned: false,
  ...note,
  created_at: sqlTime(note.created_at) ?? now,
  unpin_at: sqlTime(note.unpin_at),
  content_digest: noteDigest(note),
  identity_time: note.created_at ?? `${now.slice(0, 19).replace(' ', 'T')}Z`,
})

const supplyRows = ({ supply_addresses }: AccountPayload) => {
  const addresses = numbered(supply_addresses)
  const points = addresses.flatMap(({ supply_points, ordinal }) =>
    numbered(supply_points).map((point) => ({ ...point, address_ordinal: ordinal })),
  )
  return {
    supply_addresses: addresses.map(({ supply_address, ...rest }) => ({
      ...rest,
      ...supply_address,
      ...supply_address.structured_street_address,
      has_street_address: supply_address.structured_street_address !== undefined,
    })),
    supply_points: points.map((point) => ({ atr_tariffs: [], readings: [], billable_items: [], ...point })),
    agreements: points.flatMap(({ agreements, address_ordinal, ordinal }) =>
      numbered(agreements).map((each) => ({ ...each, address_ordinal, point_ordinal: ordinal })),
    ),
  }
}

const transactionEntries = ({ ledgers }: AccountPayload): readonly Entry[] =>
  numbered(ledgers).flatMap((ledger) =>
    (['current', 'historical'] as const).flatMap((period) =>
      numbered(ledger[`${period}_statement_transactions`]).map((each) => ({
        line_items: [],
        tax_items: [],
        ...each,
        ledger_ordinal: ledger.ordinal,
        period,
      })),
    ),
  )

const accountDefaults = {
  account_type: 'DOMESTIC',
  sales_channel: 'DIRECT',
  unknown_occupier: false,
  communication_preference: 'ONLINE',
}

/** The rows that processing writes for an account, table by table; `now` is as a DATETIME(3) column takes it. */
export const accountRows = (account: AccountPayload, key: AccountKey, team: string): readonly Rows[] => {
  const now = new Date().toISOString().slice(0, 23).replace('T', ' ')
  const created = { operations_team: team, staged_version: 1, created_at: now }
  const entries: Readonly<Record<keyof typeof columnsOf, readonly Entry[]>> = {
    accounts: [{ ...accountDefaults, ...account, ...created }],
    customers: numbered(account.customers).map((each) => ({ account_roles: [], user_details: [], ...each })),
    notes: numbered(account.notes).map((note) => ({ ...noteEntry(note, now), ordinal: note.ordinal })),
    account_references: numbered(account.references),
    account_metadata: numbered(account.metadata).map((each) => ({
      ...each,
      metadata_key: each.key,
      value: JSON.stringify(each.value),
    })),
    ...supplyRows(account),
    ledgers: numbered(account.ledgers),
    transactions: transactionEntries(account),
    statements: numbered(account.statements),
    payment_schedules: numbered(account.payment_schedules).map((each) => ({
      ...each,
      payment_trigger: each.trigger ?? 'REGULAR',
    })),
  }
  return (Object.keys(columnsOf) as (keyof typeof columnsOf)[]).map((table) =>
    rowsOf(table, key, entries[table]),
  )
}
