import type { AccountDetails, Ledger, Transaction } from './account-details.js'

/** Stands for ids of transactions and for the sales channel: both are texts of the client, which may name a person. */
export const erasedText = 'erased'

type Optional<T, Field extends keyof T> = object extends Pick<T, Field> ? undefined : never

/** What remains of each field of a type: every field is decided about, so that a new one does not compile until it is. */
type Remains<T> = {
  readonly [Field in keyof T]-?: (value: NonNullable<T[Field]>) => T[Field] | Optional<T, Field>
}

const kept = <A>(value: A): A => value
const removed = (): undefined => undefined
const emptied = (): readonly [] => []
const replaced = (): string => erasedText

const erasedBy =
  <T extends object>(remains: Remains<T>) =>
  (value: T): T =>
    Object.fromEntries(
      Object.entries<(field: never) => unknown>(remains).flatMap(([name, rule]) => {
        const field = value[name as keyof T] as never
        const left = field === undefined ? undefined : rule(field)
        return left === undefined ? [] : [[name, left]]
      }),
    ) as T

const each =
  <T extends object>(remains: Remains<T>) =>
  (list: readonly T[]): readonly T[] =>
    list.map(erasedBy(remains))

/** Money needs of a transaction its date, amount and type. */
const transaction: Remains<Transaction> = {
  transaction_id: replaced,
  transaction_date: kept,
  amount: kept,
  type: kept,
  reason: removed,
  reference: removed,
  payment_type: removed,
  display_note: removed,
  note: removed,
  product_code: removed,
  line_items: emptied,
  tax_items: emptied,
}

const ledger: Remains<Ledger> = {
  ledger_code: kept,
  last_statement_balance: kept,
  last_statement_closing_date: kept,
  ledger_balance: kept,
  current_statement_transactions: each(transaction),
  historical_statement_transactions: each(transaction),
}

/** What is left of an account that was erased: codes, and the money of its ledgers. Nothing of it tells of a person. */
export const erasedDetails: (details: AccountDetails) => AccountDetails = erasedBy<AccountDetails>({
  account_type: kept,
  customers: emptied,
  supply_addresses: emptied,
  notes: emptied,
  ledgers: each(ledger),
  transactions_without_ledger: each(transaction),
  payment_schedules: emptied,
  statements: emptied,
  payment_instructions: emptied,
  metadata: emptied,
  references: emptied,
  billing_name: removed,
  billing_address1: removed,
  billing_address2: removed,
  billing_address3: removed,
  billing_address4: removed,
  billing_address5: removed,
  billing_postcode: removed,
  sales_channel: replaced,
  sales_subchannel: removed,
  unknown_occupier: kept,
  communication_preference: kept,
})
