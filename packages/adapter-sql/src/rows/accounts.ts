import type { Account, AccountDetails } from '@account-import/core'
import { importKeyOf, importKeyRow, type ImportKeyRow } from './import-key.js'
import { fromSqlInstant, toSqlInstant } from './instants.js'
import { present } from './present.js'
import { sqlBoolean, type NewRow, type SqlBoolean } from './row.js'

type OptionalText = string | null

export type AccountRow = ImportKeyRow &
  Readonly<{
    platform_account_number: string
    operations_team: string
    staged_version: number
    created_at: string
    account_type: string
    billing_name: OptionalText
    billing_address1: OptionalText
    billing_address2: OptionalText
    billing_address3: OptionalText
    billing_address4: OptionalText
    billing_address5: OptionalText
    billing_postcode: OptionalText
    sales_channel: string
    sales_subchannel: OptionalText
    unknown_occupier: SqlBoolean
    communication_preference: string
  }>

/** The fields of an account that are no lists. */
export type AccountFields = Omit<
  AccountDetails,
  | 'customers'
  | 'supply_addresses'
  | 'notes'
  | 'ledgers'
  | 'transactions_without_ledger'
  | 'payment_schedules'
  | 'statements'
  | 'payment_instructions'
  | 'metadata'
  | 'references'
>

export const accountRow = ({ details, ...account }: Account): NewRow<AccountRow> => ({
  ...importKeyRow(account.key),
  platform_account_number: account.platformAccountNumber,
  operations_team: account.operationsTeam,
  staged_version: account.stagedVersion,
  created_at: toSqlInstant(account.createdAt),
  account_type: details.account_type,
  billing_name: details.billing_name,
  billing_address1: details.billing_address1,
  billing_address2: details.billing_address2,
  billing_address3: details.billing_address3,
  billing_address4: details.billing_address4,
  billing_address5: details.billing_address5,
  billing_postcode: details.billing_postcode,
  sales_channel: details.sales_channel,
  sales_subchannel: details.sales_subchannel,
  unknown_occupier: sqlBoolean(details.unknown_occupier),
  communication_preference: details.communication_preference,
})

/** The account with what its rows in other tables hold. */
export const accountOf = (row: AccountRow, lists: Omit<AccountDetails, keyof AccountFields>): Account => ({
  key: importKeyOf(row),
  platformAccountNumber: row.platform_account_number,
  operationsTeam: row.operations_team,
  stagedVersion: row.staged_version,
  createdAt: fromSqlInstant(row.created_at),
  details: { ...fieldsOf(row), ...lists },
})

const fieldsOf = (row: AccountRow): AccountFields => ({
  ...present({
    billing_name: row.billing_name,
    billing_address1: row.billing_address1,
    billing_address2: row.billing_address2,
    billing_address3: row.billing_address3,
    billing_address4: row.billing_address4,
    billing_address5: row.billing_address5,
    billing_postcode: row.billing_postcode,
    sales_subchannel: row.sales_subchannel,
  }),
  account_type: row.account_type,
  sales_channel: row.sales_channel,
  unknown_occupier: Boolean(row.unknown_occupier),
  communication_preference: row.communication_preference,
})
