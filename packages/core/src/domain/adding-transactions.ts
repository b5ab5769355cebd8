import { E, type Either } from '../fp.js'
import { type TransactionToAdd, transactionToAdd } from '../payloads/requests.js'
import { type DecimalText, toMoney } from '../values/decimal.js'
import { type Instant, type LocalDate, nextDay } from '../values/instant.js'
import type { AccountDetails, Transaction } from './account-details.js'
import { transactionFromPayload } from './account-from-payload.js'

/** A transaction whose date was changed; `copy` as in `AddedTransaction`. */
export type Move = Readonly<{
  transactionId: string
  copy: number
  ledgerCode: string | undefined
  from: LocalDate
  to: LocalDate
}>

/**
 * The most UTF-16 units that all lines of the list have. Each unit takes three bytes at most, so that the whole text
 * fits into the body of a note.
 */
const maxListed = 16_000

const line = ({ transactionId, copy, ledgerCode, from, to }: Move): string =>
  [
    `- ${transactionId}: ${from} → ${to}`,
    ...(ledgerCode === undefined ? [] : [`ledger ${ledgerCode}`]),
    ...(copy === 0 ? [] : [`added again, copy ${copy + 1}`]),
  ].join(', ')

const heading = (count: number): string =>
  count === 1
    ? 'One imported transaction was dated outside the open statement period and has been moved into it:'
    : `${count} imported transactions were dated outside the open statement period and have been moved into it:`

/** The text of the note about moved transactions that is pinned to an account; `moves` must not be empty. */
export const movedNoteBody = (moves: readonly Move[]): string => {
  const lines = [heading(moves.length)]
  let listed = 0
  for (const move of moves) {
    const next = line(move)
    listed += next.length
    if (listed > maxListed) break
    lines.push(next)
  }
  const rest = moves.length - (lines.length - 1)
  if (rest > 0) lines.push(`- and ${rest} more`)
  return lines.join('\n')
}

/** The stored facts of an account that decide about new transactions. */
export type AccountForTransactions = Readonly<{
  /** In the order of the payload that the account was created from. */
  ledgers: readonly Readonly<{ ledgerCode: string; lastStatementClosingDate: LocalDate | undefined }>[]
  /** The number of the account's transactions by id; at least for the ids of the request that the account has. */
  timesAdded: ReadonlyMap<string, number>
  /** The earliest start of supply of all its supply points. */
  earliestSupplyStart: LocalDate | undefined
  /** The earliest `customer_at_supply_address_from_date`. */
  earliestAtAddress: LocalDate | undefined
  createdAt: Instant
}>

const earliest = (days: readonly string[]): LocalDate | undefined =>
  [...days].sort()[0] as LocalDate | undefined

/** The facts of an account that decide about new transactions, besides the ids of its own ones. */
export const accountForTransactions = (
  { ledgers, supply_addresses }: Pick<AccountDetails, 'ledgers' | 'supply_addresses'>,
  createdAt: Instant,
): Omit<AccountForTransactions, 'timesAdded'> => ({
  ledgers: ledgers.map(({ ledger_code, last_statement_closing_date }) => ({
    ledgerCode: ledger_code,
    lastStatementClosingDate: last_statement_closing_date as LocalDate | undefined,
  })),
  earliestSupplyStart: earliest(
    supply_addresses.flatMap(({ supply_points }) => supply_points.map((point) => point.supply_start_date)),
  ),
  earliestAtAddress: earliest(supply_addresses.map((entry) => entry.customer_at_supply_address_from_date)),
  createdAt,
})

type LedgerFacts = AccountForTransactions['ledgers'][number]

/** The input of the decision. `firstDay`: the first day of the open statement period of a ledger that was never closed. */
export type TransactionFacts = Pick<AccountForTransactions, 'ledgers' | 'timesAdded'> &
  Readonly<{ firstDay: LocalDate }>

/** The parameters of the request (docs/reference/endpoints.md). */
export type TransactionOptions = Readonly<{
  checkPreviouslyAdded: boolean
  forceAddToCurrentStatement: boolean
}>

/** The echo of a transaction: fields in table order, numbers as sent, except the amount as text with two places. */
export type TransactionData = Omit<TransactionToAdd, 'amount'> & Readonly<{ amount: DecimalText }>

export type TransactionResult = Readonly<{
  status: 'TRANSACTION_ADDED_TO_ACCOUNT' | 'TRANSACTION_ALREADY_EXISTS'
  transaction_data: TransactionData
}>

/**
 * A transaction to add to the current ones of a ledger.
 *
 * - `ledger`: index among the account's ledgers; undefined on an account without ledgers
 * - `copy`: the number of the account's earlier transactions with its id, which distinguishes copies
 */
export type AddedTransaction = Readonly<{
  ledger: number | undefined
  copy: number
  transaction: Transaction
}>

/**
 * The decision about a request. `failed`: the first transaction that may not be added; later ones are not added either.
 *
 * - `results`: one for each transaction before `failed`, in order
 * - `moves`: those of `added` whose date was changed
 */
export type TransactionsDecision = Readonly<{
  results: readonly TransactionResult[]
  added: readonly AddedTransaction[]
  moves: readonly Move[]
  failed: TransactionData | undefined
}>

/** Both days are inclusive; `first` is never after `last`. */
type StatementPeriod = Readonly<{ first: LocalDate; last: LocalDate }>

/**
 * The open statement period of a ledger: from the day after its last closing date, or from `firstDay` if there is no
 * closing date, up to today. A period that would begin after today is its first day alone. `ledger`: undefined on an
 * account without ledgers.
 */
export const openStatementPeriod = (
  ledger: LedgerFacts | undefined,
  firstDay: LocalDate,
  today: LocalDate,
): StatementPeriod => {
  const closed = ledger?.lastStatementClosingDate
  const first = closed === undefined ? firstDay : nextDay(closed)
  return { first, last: first > today ? first : today }
}

/** The day of the period that is nearest to the date: the date itself if it lies inside. */
const dayInPeriod = (date: LocalDate, { first, last }: StatementPeriod): LocalDate => {
  if (date < first) return first
  return date > last ? last : date
}

/** The place of a new transaction. `ledger`: index among the account's ledgers; undefined if the account has none. */
type LedgerPosition = Readonly<{
  ledger: number | undefined
  ledgerCode: string | undefined
  period: StatementPeriod
}>

/**
 * Returns the position of a transaction: the ledger that it names, or the account's first one. Undefined if the account
 * has no ledger of that code. Computes the period of each ledger once.
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

/** Appends a sentence to an unchanged text, with one space between them. */
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
 * The transaction on another day, with one sentence for the customer that names its former day. The text is not cut,
 * even if the sentence makes it longer than clients may send it.
 */
const movedTransaction = (sent: TransactionToAdd, day: LocalDate): TransactionToAdd =>
  inTableOrder({
    ...sent,
    transaction_date: day,
    display_note: withSentence(sent.display_note ?? '', sentence(sent.transaction_date)),
  })

const dataOf = (sent: TransactionToAdd): TransactionData => ({ ...sent, amount: toMoney(sent.amount) })

/** The transaction to store: without the code of its ledger, as it is stored with that ledger. */
const keptOf = (data: TransactionData): Transaction => {
  if (data.ledger_code === undefined) return transactionFromPayload(data)
  const { ledger_code: _code, ...rest } = data
  return transactionFromPayload(rest)
}

type Positioned = Readonly<{ sent: TransactionToAdd; position: LedgerPosition }>

/**
 * Decides about the transactions in their order: skips those that were added before, also by this request; moves those
 * outside the open statement period into it, or ends the request.
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

/**
 * Decides which transactions a request adds to an account (docs/how-to/add-data-to-accounts.md). Left: the indexes of
 * transactions that name ledgers that the account does not have; then nothing is added.
 */
export const decideTransactions = (
  sent: readonly TransactionToAdd[],
  facts: TransactionFacts,
  options: TransactionOptions,
  today: LocalDate,
): Either<readonly number[], TransactionsDecision> => {
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
