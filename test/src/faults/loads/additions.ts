import type { Client, Result } from '@account-import/client'
import type { AccountKey, LocalDate, UseCases } from '@account-import/core'
import { E, type Either, pipe } from '@account-import/core/fp'
import { movedNoteBody } from '@account-import/core/testing'
import type { SentAddition } from './tally.js'

/** The kinds of additions to an account; `moved` are transactions of a closed period, which get a note. */
export const additionKinds = ['note', 'transaction', 'moved', 'statement', 'instruction'] as const
export type AdditionKind = (typeof additionKinds)[number]

const closedPeriod = '2025-03-31'

const account = (key: AccountKey) => ({
  import_supplier: key.importSupplier,
  external_account_number: key.externalAccountNumber,
})

const notes = (key: AccountKey, names: readonly string[]) => ({
  ...account(key),
  notes: names.map((body) => ({ body })),
})

const transactions = (key: AccountKey, names: readonly string[], transaction_date = '2025-05-01') => ({
  ...account(key),
  transactions: names.map((transaction_id) => ({
    transaction_id,
    transaction_date,
    amount: 1.5,
    type: 'PAYMENT' as const,
    reason: 'r',
  })),
})

const statements = (key: AccountKey, names: readonly string[]) => ({
  ...account(key),
  statements: names.map((statement_id) => ({
    bill_period_from_date: '2024-01-01',
    bill_period_to_date: '2024-01-31',
    statement_id,
  })),
})

const instruction = (key: AccountKey, [reference = '']: readonly string[]) => ({
  ...account(key),
  vendor: 'SANDBOX',
  reference,
  type: 'CARD' as const,
})

export const movedTransactions = (key: AccountKey, names: readonly string[]) =>
  transactions(key, names, closedPeriod)

/** The note that is pinned for transactions of the gas sample that were moved. */
const movedNote = (ids: readonly string[]): string =>
  movedNoteBody(
    ids.map((transactionId) => ({
      transactionId,
      copy: 0,
      ledgerCode: 'SPAIN_GAS_LEDGER',
      from: closedPeriod as LocalDate,
      to: '2025-04-01' as LocalDate,
    })),
  )

/** The request that adds items of these names to an account like the gas sample. */
export const sentAddition = (key: AccountKey, kind: AdditionKind, names: readonly string[]): SentAddition => {
  const isMoney = kind === 'transaction' || kind === 'moved'
  const named = names.map((name) => `${kind === 'moved' ? 'transaction' : kind} ${name}`)
  return {
    key,
    items: kind === 'moved' ? [...named, `note ${movedNote(names)}`] : named,
    cents: isMoney ? BigInt(names.length * 150) : 0n,
  }
}

/** The outcomes in a response about items that no other client sends: added now, or by an earlier request. */
type Verdict = 'added' | 'there' | Readonly<{ fault: string }>

const verdicts: Readonly<Record<string, 'added' | 'there'>> = {
  NOTE_CREATION_SUCCESS: 'added',
  NOTE_ALREADY_EXISTS: 'there',
  TRANSACTION_ADDED_TO_ACCOUNT: 'added',
  TRANSACTION_ALREADY_EXISTS: 'there',
}

/** Whether a status means that this request added the item. */
export const isAdded = (status: string): boolean => verdicts[status] === 'added'

/** All items of a request have the same outcome. */
const together = (outcomes: readonly Readonly<{ status: string }>[]): Verdict => {
  const [first, ...others] = new Set(outcomes.map(({ status }) => verdicts[status]))
  return first === undefined || others.length > 0
    ? { fault: `half of it: ${outcomes.map(({ status }) => status).join()}` }
    : first
}

/** The response to the addition, and its content unless it is a refusal. */
type Answered = Readonly<{ result: Result<unknown>; verdict: Verdict | undefined }>

const verdictOf = <Body>(result: Result<Body>, of: (body: Body) => Verdict): Answered => ({
  result,
  verdict: result.ok ? of(result.body) : undefined,
})

/** If the statements exist already, all of them are refused. */
const ofStatements = (result: Result<unknown>, count: number): Answered => {
  if (result.ok) return { result, verdict: 'added' }
  const repeats = result.problem.errors.filter(({ code }) => code === 'historical_statement_already_exists')
  const isThere = repeats.length === count && result.problem.errors.length === count
  return { result, verdict: isThere ? 'there' : undefined }
}

type ByClient = (client: Client, key: AccountKey, names: readonly string[]) => Promise<Answered>

const transactionsOn =
  (date?: string): ByClient =>
  async (client, key, names) =>
    verdictOf(await client.addTransactions(transactions(key, names, date)), ({ results }) =>
      together(results),
    )

/** Adds items of these names, by a client. */
export const addByClient: Readonly<Record<AdditionKind, ByClient>> = {
  note: async (client, key, names) => verdictOf(await client.addNotes(notes(key, names)), together),
  transaction: transactionsOn(),
  moved: transactionsOn(closedPeriod),
  statement: async (client, key, names) =>
    ofStatements(await client.addHistoricalStatements(statements(key, names)), names.length),
  instruction: async (client, key, names) =>
    verdictOf(await client.addPaymentInstruction(instruction(key, names)), () => 'added'),
}

type ByUseCases = (
  useCases: UseCases,
  key: AccountKey,
  names: readonly string[],
) => Promise<Either<Readonly<{ _tag: string }>, readonly string[]>>

/** Adds items of these names, by the use cases; returns the status of each, where they have one. */
export const addByUseCases: Readonly<Record<Exclude<AdditionKind, 'moved'>, ByUseCases>> = {
  note: async ({ addNotes }, key, names) =>
    pipe(
      await addNotes({ organisation: key.organisation, payload: notes(key, names) }),
      E.map((added) => added.notes.map(({ status }) => status)),
    ),
  transaction: async ({ addTransactions }, key, names) =>
    pipe(
      await addTransactions({ organisation: key.organisation, payload: transactions(key, names) }),
      E.map(({ results }) => results.map(({ status }) => status)),
    ),
  statement: async ({ addHistoricalStatements }, key, names) =>
    pipe(
      await addHistoricalStatements({ organisation: key.organisation, payload: statements(key, names) }),
      E.map(() => names.map(() => 'NOTE_CREATION_SUCCESS')),
    ),
  instruction: async ({ addPaymentInstruction }, key, names) =>
    pipe(
      await addPaymentInstruction({ organisation: key.organisation, payload: instruction(key, names) }),
      E.map(() => []),
    ),
}
