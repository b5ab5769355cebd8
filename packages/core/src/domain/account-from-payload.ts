import type { TypeOf } from 'io-ts'
import type { AccountPayload } from '../payloads/account.js'
import type { transaction } from '../payloads/ledger.js'
import type { HistoricalStatementsRequest } from '../payloads/requests.js'
import { toMoney } from '../values/decimal.js'
import { fromWireDatetime, type Instant } from '../values/instant.js'
import type {
  AccountDetails,
  AccountNote,
  AccountStatement,
  Ledger,
  PaymentSchedule,
  Transaction,
} from './account-details.js'

/** A transaction as it is kept: the defaults applied, its amount in canonical form. */
export const transactionFromPayload = (sent: TypeOf<typeof transaction>): Transaction => ({
  ...sent,
  amount: toMoney(sent.amount),
  line_items: sent.line_items ?? [],
  tax_items: sent.tax_items ?? [],
})

/** A historical statement as it is kept. */
export const statementFromPayload = ({
  gross_amount,
  ...rest
}: HistoricalStatementsRequest['statements'][number]): AccountStatement => ({
  ...rest,
  ...(gross_amount !== undefined && { gross_amount: toMoney(gross_amount) }),
})

type Item<List> = List extends readonly (infer Each)[] ? Each : never
type Sent<Key extends keyof AccountPayload> = Item<NonNullable<AccountPayload[Key]>>

/** A note as it is kept; `createdAt` is the default of its time. */
export const noteFromPayload = (
  { created_at, unpin_at, ...rest }: Sent<'notes'>,
  createdAt: Instant,
): AccountNote => ({
  ...rest,
  document_paths: rest.document_paths ?? [],
  created_at: created_at === undefined ? createdAt : fromWireDatetime(created_at),
  is_pinned: rest.is_pinned ?? false,
  ...(unpin_at !== undefined && { unpin_at: fromWireDatetime(unpin_at) }),
})

const ledger = ({ last_statement_balance, ledger_balance, ...rest }: Sent<'ledgers'>): Ledger => ({
  ...rest,
  ...(last_statement_balance !== undefined && { last_statement_balance: toMoney(last_statement_balance) }),
  ...(ledger_balance !== undefined && { ledger_balance: toMoney(ledger_balance) }),
  current_statement_transactions: (rest.current_statement_transactions ?? []).map(transactionFromPayload),
  historical_statement_transactions: (rest.historical_statement_transactions ?? []).map(
    transactionFromPayload,
  ),
})

const schedule = ({ amount, ...rest }: Sent<'payment_schedules'>): PaymentSchedule => ({
  ...rest,
  trigger: rest.trigger ?? 'REGULAR',
  ...(amount !== undefined && { amount: toMoney(amount) }),
})

const supplyAddress = (entry: Sent<'supply_addresses'>): AccountDetails['supply_addresses'][number] => ({
  ...entry,
  supply_points: entry.supply_points.map((point) => ({
    ...point,
    atr_tariffs: point.atr_tariffs ?? [],
    agreements: point.agreements ?? [],
    readings: point.readings ?? [],
    billable_items: point.billable_items ?? [],
  })),
})

/**
 * What an account consists of once it exists: the payload with the defaults applied that are listed in
 * docs/reference/api.md#what-happens-to-a-payload, and money in canonical form. `createdAt` is the default time of
 * notes.
 */
export const accountFromPayload = (payload: AccountPayload, createdAt: Instant): AccountDetails => {
  const { import_supplier: _supplier, external_account_number: _number, ...rest } = payload
  return {
    ...rest,
    account_type: rest.account_type ?? 'DOMESTIC',
    customers: (rest.customers ?? []).map((customer) => ({
      ...customer,
      account_roles: customer.account_roles ?? [],
      user_details: customer.user_details ?? [],
    })),
    supply_addresses: (rest.supply_addresses ?? []).map(supplyAddress),
    notes: (rest.notes ?? []).map((each) => noteFromPayload(each, createdAt)),
    ledgers: (rest.ledgers ?? []).map(ledger),
    transactions_without_ledger: [],
    payment_schedules: (rest.payment_schedules ?? []).map(schedule),
    statements: rest.statements ?? [],
    payment_instructions: [],
    metadata: rest.metadata ?? [],
    references: rest.references ?? [],
    sales_channel: rest.sales_channel ?? 'DIRECT',
    unknown_occupier: rest.unknown_occupier ?? false,
    communication_preference: rest.communication_preference ?? 'ONLINE',
  }
}
