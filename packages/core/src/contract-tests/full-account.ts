import type { AccountDetails, SupplyPoint } from '../domain/account-details.js'
import type { AccountKey } from '../domain/account-import.js'
import type { Account } from '../domain/account.js'
import { toMoney } from '../values/decimal.js'
import type { Instant } from '../values/instant.js'
import { freshNumber, start } from './builders.js'
import { everyDetail } from './every-detail.js'

const bareSupplyPoint: SupplyPoint = {
  identifier: 'x',
  supply_type: 'GAS',
  supply_start_date: '2024-03-02',
  atr_tariffs: [],
  readings: [],
  billable_items: [],
  agreements: [{ tariff_code: 'C', effective_from: '2024-03-02' }],
}

/** Every field of a payload, and in most lists another member with the required fields only. */
const detailsAt = (createdAt: Instant): AccountDetails => ({
  ...everyDetail,
  customers: [{ account_roles: [], user_details: [] }, ...everyDetail.customers],
  supply_addresses: [
    ...everyDetail.supply_addresses.map((entry) => ({
      ...entry,
      supply_points: [...entry.supply_points, bareSupplyPoint],
    })),
    {
      supply_address: { country: 'PT', structured_street_address: {} },
      customer_at_supply_address_from_date: '1900-01-01',
      supply_points: [],
    },
    {
      supply_address: { country: 'ES' },
      customer_at_supply_address_from_date: '2020-01-01',
      supply_points: [],
    },
  ],
  notes: [...everyDetail.notes, { document_paths: [], created_at: createdAt, is_pinned: false }],
  ledgers: [
    ...everyDetail.ledgers.map((ledger) => ({
      ...ledger,
      historical_statement_transactions: [
        ...ledger.historical_statement_transactions,
        {
          transaction_id: 'T-3',
          transaction_date: '1900-01-01',
          amount: toMoney('-0.01'),
          type: 'CHARGE',
          line_items: [],
          tax_items: [],
        },
      ],
    })),
    { ledger_code: 'A', current_statement_transactions: [], historical_statement_transactions: [] },
  ],
  transactions_without_ledger: [],
  payment_schedules: [
    { means: 'MANUAL', start_date: '2025-01-01', trigger: 'REGULAR' },
    ...everyDetail.payment_schedules,
  ],
  statements: [
    { bill_period_from_date: '2025-02-01', bill_period_to_date: '2025-02-28', statement_id: 'S-2' },
    ...everyDetail.statements,
  ],
  payment_instructions: [],
})

/** An account that uses every field of a payload. */
export const aFullAccount = (key: AccountKey, createdAt = start): Account => ({
  key,
  platformAccountNumber: freshNumber(),
  operationsTeam: 'Operaciones Ñ ',
  stagedVersion: 1,
  createdAt,
  details: detailsAt(createdAt),
})
