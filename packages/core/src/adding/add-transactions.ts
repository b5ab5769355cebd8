import type { AccountNote } from '../domain/account-details.js'
import { decideNotes, noteContent } from '../domain/account-from-payload.js'
import type { PlacedTransaction } from '../domain/account.js'
import {
  type AccountForTransactions,
  type AddedTransaction,
  decideTransactions,
  type Move,
  movedNoteBody,
  type TransactionFacts,
  type TransactionOptions,
  type TransactionResult,
  type TransactionsDecision,
} from '../domain/adding-transactions.js'
import { E, pipe } from '../fp.js'
import { transactionsRequest, type TransactionsRequest } from '../payloads/requests.js'
import type { LockedAccount } from '../ports/accounts.js'
import type { ClaimedRequest } from '../ports/idempotency-records.js'
import type { Ports } from '../ports/index.js'
import type { PortResult } from '../ports/port-failure.js'
import type { TransactionalStores } from '../ports/unit-of-work.js'
import { transactionsRequestRules } from '../rules/ledgers.js'
import type { ExtraFinding } from '../validation/check.js'
import { type Instant, today, toWireDatetime } from '../values/instant.js'
import type { Submission, WithWarnings } from '../checking/check-payload.js'
import type {
  IdempotencyKeyInProgress,
  RefusedByPlatform,
  RequestFailedValidation,
  TransactionOutsideOpenPeriod,
  UseCaseResult,
} from '../checking/errors.js'
import { inSequence } from '../lists/lists.js'
import {
  type AdditionKind,
  type AdditionRefused,
  checkAddition,
  type CheckedAddition,
  endAddition,
  onCreatedAccount,
} from './addition.js'

type TransactionsAdded = UseCaseResult<
  AdditionRefused | TransactionOutsideOpenPeriod | IdempotencyKeyInProgress,
  Readonly<{ results: readonly TransactionResult[] }> & WithWarnings
>

const kind: AdditionKind<TransactionsRequest> = {
  codec: transactionsRequest,
  rules: transactionsRequestRules,
}

type Checked = CheckedAddition<TransactionsRequest>

const unknownLedger = (index: number): ExtraFinding => ({
  path: ['transactions', index, 'ledger_code'],
  code: 'ledger_code_does_not_exist',
})

/** The refusal of a request that names unknown ledgers: one error for each, and nothing is added. */
const unknownLedgers =
  ({ validateWith, warnings }: Checked) =>
  (unknown: readonly number[]): RequestFailedValidation =>
    pipe(
      validateWith(unknown.map(unknownLedger)),
      E.match(
        (refused) => refused,
        () => ({ _tag: 'RequestFailedValidation' as const, errors: [], warnings }),
      ),
    )

/** Pins one note about all moved transactions, and returns it. It has a time, so that it repeats no equal note of another time. */
const pinNote = async (
  { accountNotes }: TransactionalStores,
  account: LockedAccount,
  moves: readonly Move[],
  at: Instant,
): PortResult<readonly AccountNote[]> => {
  if (moves.length === 0) return E.right([])
  const note = { body: movedNoteBody(moves), created_at: toWireDatetime(at), is_pinned: true }
  const known = await accountNotes.withContents(account, [noteContent(note)])
  if (E.isLeft(known)) return known
  const { added } = decideNotes([note], at, known.right)
  return pipe(
    await accountNotes.add(account, added),
    E.map(() => added.map((each) => each.note)),
  )
}

/** Another request with the same key took the claim; most requests end within milliseconds. */
const overtaken: IdempotencyKeyInProgress = { _tag: 'IdempotencyKeyInProgress', retryAfterSeconds: 1 }

/**
 * Without the check, a repeated request with an idempotency key would add its transactions again if its first answer could not be
 * kept. So the unit of work that adds them marks the request as done; a request that is done already is answered with the check.
 */
const heldOptions = async (
  { keyedWork }: TransactionalStores,
  options: TransactionOptions,
  claimed: ClaimedRequest | undefined,
): UseCaseResult<IdempotencyKeyInProgress, TransactionOptions> => {
  if (claimed === undefined || options.checkPreviouslyAdded) return E.right(options)
  const begun = await keyedWork.begin(claimed)
  if (E.isLeft(begun)) return begun
  if (begun.right === 'claim_lost') return E.left(overtaken)
  return E.right(begun.right === 'done' ? { ...options, checkPreviouslyAdded: true } : options)
}

/** `firstDay`: the earliest start of supply, else the earliest day at an address, else the day of creation. */
const transactionFacts = (account: AccountForTransactions, timeZone: string): TransactionFacts => ({
  ledgers: account.ledgers,
  timesAdded: account.timesAdded,
  firstDay: account.earliestSupplyStart ?? account.earliestAtAddress ?? today(account.createdAt, timeZone),
})

const placed = ({ ledger, transaction }: AddedTransaction): PlacedTransaction => ({ ledger, transaction })

/** Adds to the locked account all transactions before the first that fails; these are kept although the request fails. */
const addToAccount =
  (
    ports: Pick<Ports, 'clock' | 'secrets' | 'settings'>,
    checked: Checked,
    asked: TransactionOptions,
    claimed: ClaimedRequest | undefined,
  ) =>
  async (
    account: LockedAccount,
    stores: TransactionalStores,
  ): UseCaseResult<
    RequestFailedValidation | IdempotencyKeyInProgress | RefusedByPlatform,
    TransactionsDecision
  > => {
    const { clock, settings } = ports
    const { transactions } = checked.request
    const now = clock.now()
    const options = await heldOptions(stores, asked, claimed)
    if (E.isLeft(options)) return options
    const ids = transactions.map(({ transaction_id }) => transaction_id)
    const known = await stores.accountTransactions.known(account, ids)
    if (E.isLeft(known)) return known
    const decision = pipe(
      decideTransactions(
        transactions,
        transactionFacts(known.right, settings.timeZone),
        options.right,
        today(now, settings.timeZone),
      ),
      E.mapLeft(unknownLedgers(checked)),
    )
    if (E.isLeft(decision)) return decision
    const { added, moves } = decision.right
    const notes = await inSequence(
      () => stores.accountTransactions.add(account, added),
      () => pinNote(stores, account, moves, now),
    )
    if (E.isLeft(notes)) return notes
    const items = { transactions: added.map(placed), notes: notes.right }
    const ended = await endAddition(ports, checked)(stores, account, 'transactions_added', added, items)
    return E.isLeft(ended) ? ended : decision
  }

/** Adds transactions to a created account (docs/how-to/add-data-to-accounts.md). */
export const addTransactions =
  (ports: Pick<Ports, 'importSuppliers' | 'clock' | 'documents' | 'secrets' | 'settings' | 'unitOfWork'>) =>
  async ({
    checkPreviouslyAdded = true,
    forceAddToCurrentStatement = true,
    claimed,
    ...submission
  }: Submission &
    Partial<TransactionOptions> &
    Readonly<{ claimed?: ClaimedRequest | undefined }>): TransactionsAdded => {
    const checked = await checkAddition(ports)(kind, submission)
    if (E.isLeft(checked)) return checked
    const { warnings } = checked.right
    const options = { checkPreviouslyAdded, forceAddToCurrentStatement }
    const work = addToAccount(ports, checked.right, options, claimed)
    const decision = await onCreatedAccount(ports)(checked.right, work)
    if (E.isLeft(decision)) return decision
    const { results, failed } = decision.right
    return failed === undefined
      ? E.right({ results, warnings })
      : E.left({ _tag: 'TransactionOutsideOpenPeriod', transactionData: failed, warnings })
  }
