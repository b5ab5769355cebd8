import { E, type Either } from '../../fp.js'
import { type TransactionToAdd, transactionToAdd } from '../../payloads/transactions-request.js'
import { toMoney } from '../../values/decimal.js'
import type { LocalDate } from '../../values/local-date.js'
import type { Transaction } from '../account-details.js'
import { transactionFromPayload } from '../account-from-payload.js'
import type { Move } from './moved-note.js'
import {
  type AddedTransaction,
  dayInPeriod,
  type LedgerFacts,
  openStatementPeriod,
  type StatementPeriod,
  type TransactionData,
  type TransactionFacts,
  type TransactionOptions,
  type TransactionResult,
  type TransactionsDecision,
} from './transaction-facts.js'

/** Where a transaction goes. `ledger`: index among the account's ledgers; undefined if the account has none. */
type LedgerPosition = Readonly<{
  ledger: number | undefined
  ledgerCode: string | undefined
  period: StatementPeriod
}>

/**
 * Tells the position of a transaction: the ledger that it names, or the account's first one. Undefined where the account
 * has no ledger of that code. Periods are worked out once for each ledger.
 */
const ledgerPositions = (
  { ledgers, firstDay }: TransactionFacts,
  today: LocalDate,
): ((sent: TransactionToAdd) => LedgerPosition | undefined) => {
  const positionOf = (facts: LedgerFacts | undefined, ledger: number | undefined): LedgerPosition => ({
    ledger,
    ledgerCode: facts?.ledgerCode,
    period: openStatementPeriod(facts, firstDay, today),
  })
  const positions = ledgers.map(positionOf)
  const byCode = new Map(positions.map((position) => [position.ledgerCode, position]))
  const first = positions[0] ?? positionOf(undefined, undefined)
  return ({ ledger_code }) => (ledger_code === undefined ? first : byCode.get(ledger_code))
}

const sentence = (original: string): string =>
  `This transaction was dated ${original} and has been moved into the open statement period.`

/** Adds a sentence to a text that is kept as it is, with one space between them. */
const withSentence = (text: string, added: string): string => {
  if (text.trim() === '') return added
  return /\s$/.test(text) ? text + added : `${text} ${added}`
}

const names = Object.keys(transactionToAdd.fields) as (keyof TransactionToAdd)[]

const inTableOrder = (transaction: TransactionToAdd): TransactionToAdd =>
  Object.fromEntries(
    names.filter((name) => transaction[name] !== undefined).map((name) => [name, transaction[name]]),
  ) as TransactionToAdd

/**
 * The transaction on another day, with one sentence for the customer that names the day it had. Nothing of the text
 * is cut, though the sentence can make it longer than clients may send it.
 */
const movedTransaction = (sent: TransactionToAdd, day: LocalDate): TransactionToAdd =>
  inTableOrder({
    ...sent,
    transaction_date: day,
    display_note: withSentence(sent.display_note ?? '', sentence(sent.transaction_date)),
  })

const dataOf = (sent: TransactionToAdd): TransactionData => ({ ...sent, amount: toMoney(sent.amount) })

/** The transaction as it is kept: without the code of its ledger, as it is kept with that ledger. */
const keptOf = (data: TransactionData): Transaction => {
  if (data.ledger_code === undefined) return transactionFromPayload(data)
  const { ledger_code: _code, ...rest } = data
  return transactionFromPayload(rest)
}

type Positioned = Readonly<{ sent: TransactionToAdd; position: LedgerPosition }>

/**
 * Decides about the transactions in their order: one that was added before, by this request too, is passed over; one
 * outside the open statement period is moved into it, or ends the request.
 */
const decide = (
  positioned: readonly Positioned[],
  timesAdded: ReadonlyMap<string, number>,
  options: TransactionOptions,
): TransactionsDecision => {
  const times = new Map(timesAdded)
  const results: TransactionResult[] = []
  const added: AddedTransaction[] = []
  const moves: Move[] = []
  for (const { sent, position } of positioned) {
    const { transaction_id: transactionId, transaction_date: from } = sent
    const copy = times.get(transactionId) ?? 0
    if (options.checkPreviouslyAdded && copy > 0) {
      results.push({ status: 'TRANSACTION_ALREADY_EXISTS', transaction_data: dataOf(sent) })
      continue
    }
    const to = dayInPeriod(from, position.period)
    const isMoved = to !== from
    if (isMoved && !options.forceAddToCurrentStatement) return { results, added, moves, failed: dataOf(sent) }
    if (isMoved) moves.push({ transactionId, copy, ledgerCode: position.ledgerCode, from, to })
    const data = dataOf(isMoved ? movedTransaction(sent, to) : sent)
    times.set(transactionId, copy + 1)
    added.push({ ledger: position.ledger, copy, transaction: keptOf(data) })
    results.push({ status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: data })
  }
  return { results, added, moves, failed: undefined }
}

/** The indexes of the transactions whose `ledger_code` is none of the account's. */
export type UnknownLedgers = readonly number[]

/**
 * Decides what a request adds to an account (docs/how-to/add-data-to-accounts.md). Left: some transactions name
 * ledgers that the account does not have, so nothing is added.
 */
export const decideTransactions = (
  sent: readonly TransactionToAdd[],
  facts: TransactionFacts,
  options: TransactionOptions,
  today: LocalDate,
): Either<UnknownLedgers, TransactionsDecision> => {
  const unknown: number[] = []
  const positioned: Positioned[] = []
  const positionOf = ledgerPositions(facts, today)
  sent.forEach((one, index) => {
    const position = positionOf(one)
    if (position === undefined) unknown.push(index)
    else positioned.push({ sent: one, position })
  })
  return unknown.length > 0 ? E.left(unknown) : E.right(decide(positioned, facts.timesAdded, options))
}
