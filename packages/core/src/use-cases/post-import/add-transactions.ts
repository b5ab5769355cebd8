import { decideNotes, noteContent } from '../../domain/account-from-payload.js'
import {
  type AccountForTransactions,
  decideTransactions,
  type Move,
  movedNoteBody,
  type TransactionFacts,
  type TransactionOptions,
  type TransactionResult,
  type TransactionsDecision,
} from '../../domain/adding-transactions.js'
import { E, pipe, TE } from '../../fp.js'
import { transactionsRequest, type TransactionsRequest } from '../../payloads/requests.js'
import type { LockedAccount } from '../../ports/accounts.js'
import type { ClaimedRequest } from '../../ports/idempotency-records.js'
import type { Ports } from '../../ports/index.js'
import type { PortResult } from '../../ports/port-failure.js'
import type { TransactionalStores } from '../../ports/unit-of-work.js'
import { transactionsRequestRules } from '../../rules/ledgers.js'
import type { ExtraFinding } from '../../validation/check.js'
import { type Instant, today, toWireDatetime } from '../../values/instant.js'
import type { Submission, WithWarnings } from '../check-payload.js'
import type {
  IdempotencyKeyInProgress,
  RequestFailedValidation,
  TransactionOutsideOpenPeriod,
  UseCaseResult,
} from '../errors.js'
import {
  type AdditionKind,
  type AdditionRefused,
  checkAddition,
  type CheckedAddition,
  onCreatedAccount,
  recordAddition,
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
const unknownLedgersRefusal =
  ({ validateWith, warnings }: Checked) =>
  (unknown: readonly number[]): RequestFailedValidation =>
    pipe(
      validateWith(unknown.map(unknownLedger)),
      E.match(
        (refused) => refused,
        () => ({ _tag: 'RequestFailedValidation' as const, errors: [], warnings }),
      ),
    )

/** Pins one note about all moved transactions. It has a time, so that it is no repetition of an equal note of another time. */
const pinNote = (
  { accountNotes }: TransactionalStores,
  account: LockedAccount,
  moves: readonly Move[],
  at: Instant,
): PortResult<void> => {
  if (moves.length === 0) return TE.right(undefined)
  const note = { body: movedNoteBody(moves), created_at: toWireDatetime(at), is_pinned: true }
  return pipe(
    accountNotes.withContents(account, [noteContent(note)]),
    TE.flatMap((known) => accountNotes.add(account, decideNotes([note], at, known).added)),
  )
}

/** Another request with the same key took the claim; most requests end within milliseconds. */
const overtaken: IdempotencyKeyInProgress = { _tag: 'IdempotencyKeyInProgress', retryAfterSeconds: 1 }

/**
 * Without the check, a repeated request with an idempotency key would add its transactions again if its first answer could not be
 * kept. So the unit of work that adds them marks the request as done; a request that is done already is answered with the check.
 */
const heldOptions = (
  { keyedWork }: TransactionalStores,
  options: TransactionOptions,
  claimed: ClaimedRequest | undefined,
): UseCaseResult<IdempotencyKeyInProgress, TransactionOptions> =>
  claimed === undefined || options.checkPreviouslyAdded
    ? TE.right(options)
    : pipe(
        keyedWork.begin(claimed),
        TE.filterOrElseW(
          (begun) => begun !== 'claim_lost',
          () => overtaken,
        ),
        TE.map((begun) => (begun === 'done' ? { ...options, checkPreviouslyAdded: true } : options)),
      )

/** `firstDay`: the earliest start of supply, else the earliest day at an address, else the day of creation. */
const transactionFacts = (account: AccountForTransactions, timeZone: string): TransactionFacts => ({
  ledgers: account.ledgers,
  timesAdded: account.timesAdded,
  firstDay: account.earliestSupplyStart ?? account.earliestAtAddress ?? today(account.createdAt, timeZone),
})

/** Adds to the locked account all transactions before the first that fails; these are kept although the request fails. */
const addToAccount =
  (
    ports: Pick<Ports, 'clock' | 'secrets' | 'settings'>,
    checked: Checked,
    asked: TransactionOptions,
    claimed: ClaimedRequest | undefined,
  ) =>
  (
    account: LockedAccount,
    stores: TransactionalStores,
  ): UseCaseResult<RequestFailedValidation | IdempotencyKeyInProgress, TransactionsDecision> => {
    const { clock, settings } = ports
    const { transactions } = checked.request
    const now = clock.now()
    return pipe(
      heldOptions(stores, asked, claimed),
      TE.bindTo('options'),
      TE.bindW('known', () =>
        stores.accountTransactions.known(
          account,
          transactions.map(({ transaction_id }) => transaction_id),
        ),
      ),
      TE.flatMapEither(({ options, known }) =>
        pipe(
          decideTransactions(
            transactions,
            transactionFacts(known, settings.timeZone),
            options,
            today(now, settings.timeZone),
          ),
          E.mapLeft(unknownLedgersRefusal(checked)),
        ),
      ),
      TE.tap(({ added }) => stores.accountTransactions.add(account, added)),
      TE.tap(({ moves }) => pinNote(stores, account, moves, now)),
      TE.tap(({ added }) => recordAddition(ports, checked)(stores, account, 'transactions_added', added)),
    )
  }

const answer =
  ({ warnings }: Checked) =>
  ({ results, failed }: TransactionsDecision): TransactionsAdded => {
    if (failed === undefined) return TE.right({ results, warnings })
    const refusal: TransactionOutsideOpenPeriod = {
      _tag: 'TransactionOutsideOpenPeriod',
      transactionData: failed,
      warnings,
    }
    return TE.left(refusal)
  }

/** Adds transactions to a created account (docs/how-to/add-data-to-accounts.md). */
export const addTransactions =
  (ports: Pick<Ports, 'importSuppliers' | 'clock' | 'documents' | 'secrets' | 'settings' | 'unitOfWork'>) =>
  ({
    checkPreviouslyAdded = true,
    forceAddToCurrentStatement = true,
    claimed,
    ...submission
  }: Submission &
    Partial<TransactionOptions> &
    Readonly<{ claimed?: ClaimedRequest | undefined }>): TransactionsAdded =>
    pipe(
      checkAddition(ports)(kind, submission),
      TE.flatMap((checked) =>
        pipe(
          onCreatedAccount(ports)(
            checked,
            addToAccount(ports, checked, { checkPreviouslyAdded, forceAddToCurrentStatement }, claimed),
          ),
          TE.flatMap(answer(checked)),
        ),
      ),
    )
