import type { Client, Result } from '@account-import/client'
import type { LocalDate } from '@account-import/core'
import { movedNoteBody } from '@account-import/core/testing'
import type { AddedNotes, AddedPaymentInstruction, AddedTransactions } from '@account-import/http-contract'

/**
 * What an answer says of a request whose items nobody else sends: `added` now, or `there` since a server that was
 * killed; `cut off` without an answer. Anything else is a fault, in words, with the status of the answer.
 */
export type Verdict = 'added' | 'there' | 'cut off' | Readonly<{ fault: string; status: number }>

/** One request, with items of its own. */
export type Addition = Readonly<{
  number: string
  /** As `itemsOf` names them in the account. */
  items: readonly string[]
  send(client: Client): Promise<Verdict>
}>

const refused = (result: Extract<Result<unknown>, { ok: false }>): Verdict =>
  result.problem.code === 'network'
    ? 'cut off'
    : {
        fault: `${result.status} ${result.problem.code}: ${JSON.stringify(result.problem.errors)}`,
        status: result.status,
      }

/** All items of a request have one fate. */
const together = (statuses: readonly string[], added: string, there: string): Verdict => {
  if (statuses.every((status) => status === added)) return 'added'
  if (statuses.every((status) => status === there)) return 'there'
  return { fault: `half of it: ${statuses.join()}`, status: 201 }
}

const ofNotes = (result: Result<AddedNotes>): Verdict =>
  result.ok
    ? together(
        result.body.map(({ status }) => status),
        'NOTE_CREATION_SUCCESS',
        'NOTE_ALREADY_EXISTS',
      )
    : refused(result)

const ofTransactions = (result: Result<AddedTransactions>): Verdict =>
  result.ok
    ? together(
        result.body.results.map(({ status }) => status),
        'TRANSACTION_ADDED_TO_ACCOUNT',
        'TRANSACTION_ALREADY_EXISTS',
      )
    : refused(result)

const ofStatements = (result: Result<unknown>, count: number): Verdict => {
  if (result.ok) return 'added'
  const repeats = result.problem.errors.filter(({ code }) => code === 'historical_statement_already_exists')
  return repeats.length === count && result.problem.errors.length === count ? 'there' : refused(result)
}

const ofInstruction = (result: Result<AddedPaymentInstruction>): Verdict =>
  result.ok ? 'added' : refused(result)

type Maker = (
  supplier: string,
  number: string,
  items: readonly string[],
) => (client: Client) => Promise<Verdict>

const account = (supplier: string, number: string) => ({
  import_supplier: supplier,
  external_account_number: number,
})

const beforeThePeriod = '2025-03-31'

const transactionsOn =
  (transaction_date: string): Maker =>
  (supplier, number, items) =>
  async (client) =>
    ofTransactions(
      await client.addTransactions({
        ...account(supplier, number),
        transactions: items.map((transaction_id) => ({
          transaction_id,
          transaction_date,
          amount: 1.5,
          type: 'PAYMENT',
        })),
      }),
    )

/** The note that is pinned for transactions of the gas sample that were moved: it is there when they are. */
const movedNote = (ids: readonly string[]): string =>
  movedNoteBody(
    ids.map((transactionId) => ({
      transactionId,
      copy: 0,
      ledgerCode: 'SPAIN_GAS_LEDGER',
      from: beforeThePeriod as LocalDate,
      to: '2025-04-01' as LocalDate,
    })),
  )

const makers = {
  note: (supplier, number, items) => async (client) =>
    ofNotes(await client.addNotes({ ...account(supplier, number), notes: items.map((body) => ({ body })) })),
  transaction: transactionsOn('2025-05-01'),
  moved: transactionsOn(beforeThePeriod),
  statement: (supplier, number, items) => async (client) =>
    ofStatements(
      await client.addHistoricalStatements({
        ...account(supplier, number),
        statements: items.map((statement_id) => ({
          bill_period_from_date: '2024-01-01',
          bill_period_to_date: '2024-01-31',
          statement_id,
        })),
      }),
      items.length,
    ),
  instruction:
    (supplier, number, [reference = '']) =>
    async (client) =>
      ofInstruction(
        await client.addPaymentInstruction({
          ...account(supplier, number),
          vendor: 'SANDBOX',
          reference,
          type: 'CARD',
        }),
      ),
} satisfies Record<string, Maker>

const kinds = ['note', 'transaction', 'moved', 'statement', 'instruction'] as const

const itemsOfKind = (kind: (typeof kinds)[number], ids: readonly string[]): readonly string[] =>
  kind === 'moved'
    ? [...ids.map((id) => `transaction ${id}`), `note ${movedNote(ids)}`]
    : ids.map((id) => `${kind} ${id}`)

/** The request with this ordinal: the kinds take turns, each with five items (one instruction). */
export const additionOf = (supplier: string, number: string, ordinal: number): Addition => {
  const kind = kinds[ordinal % kinds.length] ?? 'note'
  const ids = Array.from({ length: kind === 'instruction' ? 1 : 5 }, (_, index) => `${ordinal}-${index}`)
  return { number, items: itemsOfKind(kind, ids), send: makers[kind](supplier, number, ids) }
}
