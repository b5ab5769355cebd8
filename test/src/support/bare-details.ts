import type { AccountDetails } from '@account-import/core'

/** Only the fields of every account. */
export const bareDetails: AccountDetails = {
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
