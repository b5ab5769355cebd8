import type { AdditionRefused, PaymentInstructionRefused, PortFailure, UseCases } from '@account-import/core'
import { E, pipe, TE, type TaskEither } from '@account-import/core/adapter-kit'
import type { SentAddition } from '../invariants/sent.js'
import { expectRefusal, importSupplier, isCreated, keyOf, organisation, type Client } from './client.js'
import type { AdditionKind } from './plan.js'

type Sending = TaskEither<
  Readonly<{
    _tag:
      | (AdditionRefused | PaymentInstructionRefused | PortFailure)['_tag']
      | 'TransactionOutsideOpenPeriod'
      | 'IdempotencyKeyInProgress'
  }>,
  readonly string[]
>

/** Sends the names as additions of a kind; what became of each, by its status. */
type Send = (useCases: UseCases, account: object, names: readonly string[]) => Sending

const send: Readonly<Record<AdditionKind, Send>> = {
  note: ({ addNotes }, account, names) =>
    pipe(
      addNotes({ organisation, payload: { ...account, notes: names.map((body) => ({ body })) } }),
      TE.map(({ notes }) => notes.map(({ status }) => status)),
    ),
  transaction: ({ addTransactions }, account, names) => {
    const transactions = names.map((transaction_id) => ({
      transaction_id,
      transaction_date: '2025-05-01',
      amount: 1.5,
      type: 'PAYMENT',
    }))
    return pipe(
      addTransactions({ organisation, payload: { ...account, transactions } }),
      TE.map(({ results }) => results.map(({ status }) => status)),
    )
  },
  statement: ({ addHistoricalStatements }, account, names) => {
    const statements = names.map((statement_id) => ({
      bill_period_from_date: '2024-01-01',
      bill_period_to_date: '2024-01-31',
      statement_id,
    }))
    return pipe(
      addHistoricalStatements({ organisation, payload: { ...account, statements } }),
      TE.map(() => names.map(() => 'added')),
    )
  },
  instruction: ({ addPaymentInstruction }, account, [reference = '']) =>
    pipe(
      addPaymentInstruction({
        organisation,
        payload: { ...account, vendor: 'SANDBOX', reference, type: 'CARD' },
      }),
      TE.map(() => []),
    ),
}

const statusesOfAdding: ReadonlySet<string> = new Set([
  'NOTE_CREATION_SUCCESS',
  'TRANSACTION_ADDED_TO_ACCOUNT',
  'added',
])

const additionOf = (
  { known }: Client,
  number: string,
  kind: AdditionKind,
): SentAddition & { names: readonly string[] } => {
  const names = kind === 'instruction' ? [known.nextName()] : [known.nextName(), known.nextName()]
  const cents = kind === 'transaction' ? 300n : 0n
  return { key: keyOf(number), names, items: names.map((name) => `${kind} ${name}`), cents }
}

/** Adds two things of a kind to an account, once or twice at once: then one of the requests adds them. */
export const add = async (
  client: Client,
  number: string,
  kind: AdditionKind,
  isTwice: boolean,
): Promise<void> => {
  const { sent, violations } = client.known
  const addition = additionOf(client, number, kind)
  sent.add(addition)
  const account = { import_supplier: importSupplier, external_account_number: number }
  const wasCreated = isCreated(client, number)
  let added = 0
  const once = async (): Promise<void> => {
    const answer = await client.ask((useCases) => send[kind](useCases, account, addition.names))
    if (answer === undefined) return
    if (E.isRight(answer)) {
      added += answer.right.filter((status) => statusesOfAdding.has(status)).length
      return sent.settle(addition)
    }
    const isThere = isTwice && kind === 'statement' && answer.left._tag === 'RequestFailedValidation'
    const isAbsent = !wasCreated && answer.left._tag === 'AccountNotFound'
    const isExpected = isThere || isAbsent || answer.left._tag === 'SupplierNotOngoing'
    expectRefusal(client, isExpected, `adding to ${number}`, answer.left)
  }
  await Promise.all(isTwice ? [once(), once()] : [once()])
  if (added > addition.items.length)
    violations.push(`I5: ${number}: ${kind} was told as added ${added} times, of ${addition.items.length}`)
}
