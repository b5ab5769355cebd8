import { E, type Either } from '../../fp.js'
import type { TransactionToAdd } from '../../payloads/transactions-request.js'
import { toMoney } from '../../values/decimal.js'
import type { LocalDate } from '../../values/local-date.js'
import type { Transaction } from '../account-details.js'
import { transactionFromPayload } from '../transaction-from-payload.js'
import { ledgerPositions, type LedgerPosition } from './ledger-positions.js'
import type { Move } from './moved-note.js'
import { movedTransaction } from './moved-transaction.js'
import { dayInPeriod } from './open-statement-period.js'
import type { TransactionFacts } from './transaction-facts.js'
import type {
  AddedTransaction,
  TransactionData,
  TransactionOptions,
  TransactionResult,
  TransactionsDecision,
} from './transactions-decision.js'

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
