import type { TypeOf } from 'io-ts'
import { isBlank } from '../codec/scalars.js'
import type { AccountPayload } from '../payloads/account.js'
import type { transaction } from '../payloads/ledger.js'
import type { NotesRequest } from '../payloads/requests.js'
import { toMoney } from '../values/decimal.js'
import { fromWireDatetime, type Instant, toWireDatetime } from '../values/instant.js'
import type { AccountDetails, AccountNote, Ledger, PaymentSchedule, Transaction } from './account-details.js'

/** A transaction to store: with the defaults, its amount in canonical form. */
export const transactionFromPayload = (sent: TypeOf<typeof transaction>): Transaction => ({
  ...sent,
  amount: toMoney(sent.amount),
  line_items: sent.line_items ?? [],
  tax_items: sent.tax_items ?? [],
})

type Item<List> = List extends readonly (infer Each)[] ? Each : never
type Sent<Key extends keyof AccountPayload> = Item<NonNullable<AccountPayload[Key]>>

/** A note to store; `createdAt` is the default of its time. */
const noteFromPayload = (
  { created_at, unpin_at, ...rest }: Sent<'notes'>,
  createdAt: Instant,
): AccountNote => ({
  ...rest,
  document_paths: rest.document_paths ?? [],
  created_at: created_at === undefined ? createdAt : fromWireDatetime(created_at),
  is_pinned: rest.is_pinned ?? false,
  ...(unpin_at !== undefined && { unpin_at: fromWireDatetime(unpin_at) }),
})

const ledger = ({ last_statement_balance, ledger_balance, ...rest }: Sent<'ledgers'>): Ledger => ({
  ...rest,
  ...(last_statement_balance !== undefined && { last_statement_balance: toMoney(last_statement_balance) }),
  ...(ledger_balance !== undefined && { ledger_balance: toMoney(ledger_balance) }),
  current_statement_transactions: (rest.current_statement_transactions ?? []).map(transactionFromPayload),
  historical_statement_transactions: (rest.historical_statement_transactions ?? []).map(
    transactionFromPayload,
  ),
})

const schedule = ({ amount, ...rest }: Sent<'payment_schedules'>): PaymentSchedule => ({
  ...rest,
  trigger: rest.trigger ?? 'REGULAR',
  ...(amount !== undefined && { amount: toMoney(amount) }),
})

const supplyAddress = (entry: Sent<'supply_addresses'>): AccountDetails['supply_addresses'][number] => ({
  ...entry,
  supply_points: entry.supply_points.map((point) => ({
    ...point,
    atr_tariffs: point.atr_tariffs ?? [],
    agreements: point.agreements ?? [],
    readings: point.readings ?? [],
    billable_items: point.billable_items ?? [],
  })),
})

/** The names of fields, at any depth, that `Sent` has and `Kept` lacks. */
type Lost<Sent, Kept> = Sent extends string
  ? never
  : Sent extends readonly (infer SentItem)[]
    ? Kept extends readonly (infer KeptItem)[]
      ? Lost<SentItem, KeptItem>
      : never
    : Sent extends object
      ? {
          [Field in keyof Sent]-?: Field extends keyof Kept
            ? Lost<NonNullable<Sent[Field]>, NonNullable<Kept[Field]>>
            : Field
        }[keyof Sent]
      : never

type SentDetails = Omit<AccountPayload, 'import_supplier' | 'external_account_number'>

/** `AccountDetails`, or the name of a payload field that they lack, so that `accountFromPayload` does not compile. */
type WholeDetails = [Lost<SentDetails, AccountDetails>] extends [never]
  ? AccountDetails
  : Lost<SentDetails, AccountDetails>

const firstFormat = (payload: AccountPayload, createdAt: Instant): AccountDetails => {
  const { import_supplier: _supplier, external_account_number: _number, ...rest } = payload
  return {
    ...rest,
    account_type: rest.account_type ?? 'DOMESTIC',
    customers: (rest.customers ?? []).map((customer) => ({
      ...customer,
      account_roles: customer.account_roles ?? [],
      user_details: customer.user_details ?? [],
    })),
    supply_addresses: (rest.supply_addresses ?? []).map(supplyAddress),
    notes: (rest.notes ?? []).map((each) => noteFromPayload(each, createdAt)),
    ledgers: (rest.ledgers ?? []).map(ledger),
    transactions_without_ledger: [],
    payment_schedules: (rest.payment_schedules ?? []).map(schedule),
    statements: rest.statements ?? [],
    payment_instructions: [],
    metadata: rest.metadata ?? [],
    references: rest.references ?? [],
    sales_channel: rest.sales_channel ?? 'DIRECT',
    unknown_occupier: rest.unknown_occupier ?? false,
    communication_preference: rest.communication_preference ?? 'ONLINE',
  } satisfies WholeDetails
}

/**
 * The format by which accounts that are created now read their payloads. An account keeps its format: a change of the function below
 * that changes any account is a further format, so that it changes no account that exists (`account-format.test.ts`).
 */
export const accountFormat = 1

/**
 * The content of an account: the payload with the defaults of docs/reference/api.md#what-happens-to-a-payload, and money in
 * canonical form. `createdAt` is the default time of notes. `format`: that of the account, the present one when absent. Throws for
 * a format that this release does not know.
 */
export const accountFromPayload = (
  payload: AccountPayload,
  createdAt: Instant,
  format = accountFormat,
): AccountDetails => {
  if (format !== accountFormat) throw new Error(`a later release created this account, in format ${format}`)
  return firstFormat(payload, createdAt)
}

/**
 * The text by which notes are compared, besides their time: of the body, or without a body of the list of document paths. Two
 * notes have the same content exactly if these texts are equal.
 */
export const noteContent = ({
  body,
  document_paths,
}: Readonly<{
  body?: string | undefined
  document_paths?: readonly Readonly<{ document_path: string }>[] | undefined
}>): string =>
  body === undefined || isBlank(body)
    ? `documents:${JSON.stringify((document_paths ?? []).map(({ document_path }) => document_path))}`
    : `body:${body}`

/** A note to add. `isTimeGiven`: the client sent `created_at`; otherwise it is the time of adding. */
export type NewNote = Readonly<{ note: AccountNote; isTimeGiven: boolean }>

/** The outcome of one note of a request. `created_at` is that of the note that the account has now. */
export type NoteOutcome = Readonly<{
  status: 'NOTE_CREATION_SUCCESS' | 'NOTE_ALREADY_EXISTS'
  body: string
  created_at: Instant
}>

/** For each content, the times of creation of the account's notes with that content. */
export type KnownNotes = ReadonlyMap<string, readonly Instant[]>

type Decided = Readonly<{ outcomes: readonly NoteOutcome[]; added: readonly NewNote[] }>

/** The notes of one content by their wire time, to the second; the earliest first. */
type ByTime = Map<string, Instant>

const byTime = (instants: readonly Instant[]): ByTime =>
  new Map([...instants].sort().map((instant) => [toWireDatetime(instant), instant]))

/** The time of creation of the note that this one repeats: any with its content, or, if it has a time, one of that time. */
const sameAs = (known: ByTime, createdAt: string | undefined): Instant | undefined =>
  createdAt === undefined ? known.values().next().value : known.get(createdAt)

/**
 * Decides which notes of a request are new to an account. They are compared one after the other, so that the second of two
 * equal notes is a repetition of the first. `at` is the time of notes without one.
 */
export const decideNotes = (sent: NotesRequest['notes'], at: Instant, existing: KnownNotes): Decided => {
  const known = new Map([...existing].map(([content, instants]) => [content, byTime(instants)]))
  const outcomes: NoteOutcome[] = []
  const added: NewNote[] = []
  for (const each of sent) {
    const content = noteContent(each)
    const times: ByTime = known.get(content) ?? new Map()
    const same = sameAs(times, each.created_at)
    const note = noteFromPayload(each, at)
    if (same === undefined) {
      added.push({ note, isTimeGiven: each.created_at !== undefined })
      known.set(content, times.set(toWireDatetime(note.created_at), note.created_at))
    }
    outcomes.push({
      status: same === undefined ? 'NOTE_CREATION_SUCCESS' : 'NOTE_ALREADY_EXISTS',
      body: each.body ?? '',
      created_at: same ?? note.created_at,
    })
  }
  return { outcomes, added }
}
