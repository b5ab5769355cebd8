import type { TypeOf } from 'io-ts'
import type { ErrorCode } from '../catalogue/index.js'
import { FAILED, type Failed } from '../codec/codec.js'
import type { ledger, lineItem, transaction } from '../payloads/ledger.js'
import type { TransactionsRequest } from '../payloads/requests.js'
import { DecimalSum, type SentDecimal } from '../values/decimal.js'
import type { LocalDate } from '../values/instant.js'
import {
  allOf,
  distinct,
  type Distinction,
  each,
  endNotBeforeStart,
  netAmount,
  notInFuture,
  reportRepeats,
  within,
} from './building-blocks.js'
import {
  below,
  isRead,
  itemsOf,
  type KeyPath,
  type ObjectRule,
  type Readable,
  type ReadList,
  type RuleFindings,
} from './rule.js'

/** Decimals of a figure, the type of amounts of items. */
const FIGURE = 10

type SentTransaction = Readable<TypeOf<typeof transaction>>
/** Subtracts the amount of each item from the sum; false if an amount cannot be read. */
const subtractAll = <A>(
  items: ReadList<A>,
  amountOf: (item: A) => SentDecimal | Failed | undefined,
  sum: DecimalSum,
): boolean => {
  for (const item of itemsOf(items)) {
    const amount = item === FAILED ? FAILED : amountOf(item)
    if (!isRead(amount)) return false
    sum.subtract(amount)
  }
  return items !== FAILED
}

/** Adds amount - (line items + taxes) to the sum; false if an amount cannot be read. */
const addAmountDifference = (
  { amount, line_items, tax_items }: SentTransaction,
  sum: DecimalSum,
): boolean => {
  if (!isRead(amount)) return false
  sum.add(amount)
  return (
    subtractAll(line_items, (item) => item.net_amount, sum) &&
    subtractAll(tax_items, (item) => item.amount, sum)
  )
}

/** Whether there are line items, and the amount differs from the sum of line items and taxes by 0.01 or more. */
const amountDiffers = (item: SentTransaction): boolean => {
  if (!isRead(item.line_items) || item.line_items.length === 0) return false
  const exact = new DecimalSum(FIGURE)
  return addAmountDifference(item, exact) && exact.isCentOrMore
}

/** The amount of a transaction with line items is the sum of its line items and taxes. */
const transactionAmount: ObjectRule<SentTransaction> = (transaction, at, findings) => {
  if (amountDiffers(transaction))
    findings.add(
      'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount',
      at,
      'amount',
    )
}

const supplyCharge: ObjectRule<SentTransaction> = ({ line_items, product_code, type }, at, findings) => {
  if (type !== 'SUPPLY_CHARGE') return
  if (product_code === undefined) findings.add('required', at, 'product_code')
  if (line_items === undefined) findings.add('required', at, 'line_items')
  else if (line_items !== FAILED && line_items.length === 0) findings.add('empty', at, 'line_items')
}

const reasonGiven: ObjectRule<SentTransaction> = ({ reason, type }, at, findings) => {
  if ((type === 'CHARGE' || type === 'CREDIT') && reason === undefined)
    findings.add('transaction_reason_missing', at, 'reason')
}

const positivePayment: ObjectRule<SentTransaction> = ({ amount, type }, at, findings) => {
  // Number() may round the amount, but keeps its sign.
  if ((type === 'PAYMENT' || type === 'REPAYMENT') && isRead(amount) && Number(amount) <= 0)
    findings.add('non_positive_payment_amount', at, 'amount')
}

const signs: Readonly<Partial<Record<NonNullable<TypeOf<typeof transaction>['type']>, ErrorCode>>> = {
  CREDIT: 'negative_credit',
  CHARGE: 'negative_charge',
}

const signOfType: ObjectRule<SentTransaction> = ({ amount, type }, at, findings) => {
  const code = isRead(type) ? signs[type] : undefined
  if (code !== undefined && isRead(amount) && Number(amount) < 0) findings.add(code, at, 'amount')
}

const lineItems = each<Readable<TypeOf<typeof lineItem>>>(
  endNotBeforeStart('start_date', 'end_date'),
  netAmount('incorrect_line_item_net_amount'),
)

/** The rules over one transaction, in an account or in a request to add it. */
const transactionRules = allOf<SentTransaction>(
  supplyCharge,
  reasonGiven,
  positivePayment,
  signOfType,
  transactionAmount,
  within('line_items', lineItems),
)

const at = below(undefined, 'transactions')
const requested = each(transactionRules)

/**
 * Validates each transaction by itself. Repeated ids and dates in the future are no errors here: their meaning depends on
 * the account.
 */
export const transactionsRequestRules = (
  request: Readable<TransactionsRequest>,
  findings: RuleFindings,
): void => requested(request.transactions, at, findings)

type Ledger = Readable<TypeOf<typeof ledger>>
type DatedTransaction = Readable<{ transaction_date: LocalDate }>

/** A list of transactions that must be on one side of the closing date, and the code for those that are not. */
type Side = Readonly<{
  field: 'current_statement_transactions' | 'historical_statement_transactions'
  isAfter: boolean
  code: ErrorCode
}>

const current: Side = {
  field: 'current_statement_transactions',
  isAfter: true,
  code: 'current_statement_transaction_before_last_statement_closing_date',
}

const historical: Side = {
  field: 'historical_statement_transactions',
  isAfter: false,
  code: 'historical_statement_transaction_after_last_statement_closing_date',
}

const reportOtherSide = (
  transactions: ReadList<DatedTransaction>,
  closing: LocalDate,
  { code, field, isAfter }: Side,
  [at, findings]: readonly [KeyPath, RuleFindings],
): void => {
  const items = itemsOf(transactions)
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    if (!isRead(item) || !isRead(item.transaction_date)) continue
    if (item.transaction_date > closing !== isAfter)
      findings.add(code, below(below(at, field), index), 'transaction_date')
  }
}

/** Historical transactions need a closing date and are on or before it; current ones are after it. */
const closingDate: ObjectRule<Ledger> = (ledger, at, findings) => {
  const { last_statement_closing_date: closing, historical_statement_transactions: past } = ledger
  if (closing === undefined && isRead(past) && past.length > 0)
    findings.add(
      'historical_statement_transactions_require_last_statement_closing_date',
      at,
      'last_statement_closing_date',
    )
  if (!isRead(closing)) return
  const where = [at, findings] as const
  reportOtherSide(ledger.current_statement_transactions, closing, current, where)
  reportOtherSide(past, closing, historical, where)
}

/** Decimals of money. */
const MONEY = 2

/** Whether a transaction raises a balance, as payments and credits do; all others lower it. */
const raises = (type: SentTransaction['type']): boolean => type === 'PAYMENT' || type === 'CREDIT'

/** Adds balance - (earlier balance + effects of the transactions) to the sum; false if a transaction cannot be read. */
const addDifference = (
  [balance, before]: readonly [SentDecimal, SentDecimal],
  transactions: ReadList<SentTransaction>,
  sum: DecimalSum,
): boolean => {
  sum.add(balance)
  sum.subtract(before)
  for (const item of itemsOf(transactions)) {
    if (item === FAILED || !isRead(item.amount) || !isRead(item.type)) return false
    if (raises(item.type)) sum.subtract(item.amount)
    else sum.add(item.amount)
  }
  return transactions !== FAILED
}

/** Whether a balance differs from the earlier one plus the effects of the transactions; false if one cannot be read. */
const balanceDiffers = (
  balance: SentDecimal,
  before: SentDecimal,
  transactions: ReadList<SentTransaction>,
): boolean => {
  const exact = new DecimalSum(MONEY)
  return addDifference([balance, before], transactions, exact) && !exact.isZero
}

/** The balance is that of the last statement plus the effects of the current transactions. */
const ledgerBalance: ObjectRule<Ledger> = (ledger, at, findings) => {
  const { current_statement_transactions: current, last_statement_balance: last } = ledger
  if (!isRead(ledger.ledger_balance) || last === FAILED || (last === undefined && current === undefined))
    return
  if (balanceDiffers(ledger.ledger_balance, last ?? 0, current))
    findings.add('balance_mismatch_on_ledger_balance', at, 'ledger_balance')
}

/** The balance of the last statement is the effect of the historical transactions, if there are any. */
const lastStatementBalance: ObjectRule<Ledger> = (ledger, at, findings) => {
  const { historical_statement_transactions: historical, last_statement_balance: last } = ledger
  if (!isRead(last) || !isRead(historical) || historical.length === 0) return
  if (balanceDiffers(last, 0, historical))
    findings.add('historical_statement_transactions_balance_mismatch', at, 'last_statement_balance')
}

const distinctLedgers = distinct<Ledger>({
  code: 'duplicate_ledger_entries_found',
  field: 'ledger_code',
  keyOf: ({ ledger_code }) => ledger_code,
})

const transactionId: Distinction<SentTransaction> = {
  code: 'duplicate_transaction_ids',
  field: 'transaction_id',
  keyOf: ({ transaction_id }) => transaction_id,
}

const bothLists = ['current_statement_transactions', 'historical_statement_transactions'] as const

/** Transaction ids are unique in the whole account: over all ledgers, and both lists of each. */
const distinctTransactions: ObjectRule<ReadList<Ledger>> = (ledgers, at, findings) => {
  const seen = new Set<string>()
  each<Ledger>((ledger, path) => {
    for (const list of bothLists)
      reportRepeats(ledger[list], below(path, list), findings, transactionId, seen)
  })(ledgers, at, findings)
}

const transactions = each<SentTransaction>(
  notInFuture('transaction_date', 'transaction_in_future'),
  transactionRules,
)

/** The rules over ledgers and their transactions. */
export const ledgerRules = allOf<ReadList<Ledger>>(
  distinctLedgers,
  distinctTransactions,
  each(
    notInFuture('last_statement_closing_date'),
    ledgerBalance,
    lastStatementBalance,
    closingDate,
    within('current_statement_transactions', transactions),
    within('historical_statement_transactions', transactions),
  ),
)
