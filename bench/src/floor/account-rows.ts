import type { AccountPayload } from '@account-import/core'
import { billingTables } from './billing-tables.js'
import type { SqlValue } from './database.js'
import { ledgerTables } from './ledger-tables.js'
import { personTables } from './person-tables.js'
import { supplyTables } from './supply-tables.js'
import { keyColumns, type Created, type ListTable, type TableRows } from './table-rows.js'

const scalars = ['billing_name', 'billing_address1', 'billing_address2', 'billing_address3'] as const
const moreScalars = ['billing_address4', 'billing_address5', 'billing_postcode', 'sales_subchannel'] as const

const accountTable = (account: AccountPayload, created: Created): TableRows => {
  const texts = [...scalars, ...moreScalars]
  const values: readonly (readonly [string, SqlValue])[] = [
    ['organisation', created.organisation],
    ['import_supplier', account.import_supplier],
    ['external_account_number', account.external_account_number],
    ['platform_account_number', created.platformAccountNumber],
    ['operations_team', created.operationsTeam],
    ['staged_version', created.stagedVersion],
    ['created_at', created.now],
    ['account_type', account.account_type ?? 'DOMESTIC'],
    ['sales_channel', account.sales_channel ?? 'DIRECT'],
    ['unknown_occupier', account.unknown_occupier ?? false],
    ['communication_preference', account.communication_preference ?? 'ONLINE'],
    ...texts.map((name) => [name, account[name]] as const),
  ]
  return {
    table: 'accounts',
    columns: values.map(([name]) => name),
    rows: [values.map(([, value]) => value)],
  }
}

const markTables = (account: AccountPayload, list: ListTable): readonly TableRows[] => [
  list(
    'account_references',
    ['ordinal', 'namespace', 'value'],
    account.references,
    ({ namespace, value }, ordinal) => [ordinal, namespace, value],
  ),
  list('account_metadata', ['ordinal', 'metadata_key', 'value'], account.metadata, (each, ordinal) => [
    ordinal,
    each.key,
    JSON.stringify(each.value),
  ]),
]

/** The rows that processing writes for an account, table by table. */
export const accountRows = (account: AccountPayload, created: Created): readonly TableRows[] => {
  const key = [created.organisation, account.import_supplier, created.platformAccountNumber]
  const list: ListTable = (table, columns, entries = [], values) => ({
    table,
    columns: [...keyColumns, ...columns],
    rows: entries.map((entry, ordinal) => [...key, ...values(entry, ordinal)]),
  })
  return [
    accountTable(account, created),
    ...personTables(account, created, list),
    ...markTables(account, list),
    ...supplyTables(account, list),
    ...ledgerTables(account, list),
    ...billingTables(account, list),
  ]
}
