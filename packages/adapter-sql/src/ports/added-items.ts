import { createHmac } from 'node:crypto'
import type {
  AccountDetails,
  AccountNote,
  AccountPaymentInstruction,
  AccountStatement,
  AddedItems,
  Instant,
  NewNote,
  PlacedTransaction,
} from '@account-import/core'
import { noteContent, toWireDatetime, transactionsOf } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { type DataKey, keptText, readEither, sha256 } from '../sql/crypto.js'
import { type ImportKeyRow, jsonColumn, type NewRow, tables } from '../sql/rows.js'

/** The content type of each kind of item. */
type Contents = Readonly<{
  transaction: PlacedTransaction
  statement: AccountStatement
  note: AccountNote
  payment_instruction: AccountPaymentInstruction
}>

export type ItemKind = keyof Contents

/** The name of an item among those of its kind. No two items of an account have the same `identity` and `copy`. */
type ItemName = Readonly<{
  /** At most 255 characters. */
  identity: string
  copy: number
}>

/** An item that is added to an account, before it has an ordinal and is encrypted. */
export type Item<Kind extends ItemKind = ItemKind> = ItemName &
  Readonly<{ kind: Kind; content: Contents[Kind] }>

export type ItemRow = ImportKeyRow &
  Readonly<{
    kind: ItemKind
    /** Counts the added items of the kind, from 0 on. */
    ordinal: number
    /** Plain, or a fingerprint where the content is encrypted and the identity would reveal a part of it. */
    identity: string
    copy: number
    /** JSON text, plain or encrypted. */
    content: string
  }>

/** A hash, because vendor and reference together may be longer than an identity. */
export const instructionIdentity = ({
  vendor,
  reference,
}: Pick<AccountPaymentInstruction, 'vendor' | 'reference'>): string =>
  sha256(JSON.stringify([vendor, reference]))

/**
 * The identities of each kind of item. A note has a hash, because its compared text (`noteContent`) may be longer than an
 * identity.
 */
const identities: { readonly [Kind in ItemKind]: (content: Contents[Kind]) => string } = {
  transaction: ({ transaction }) => transaction.transaction_id,
  statement: ({ statement_id }) => statement_id,
  note: (note) => sha256(noteContent(note)),
  payment_instruction: instructionIdentity,
}

/** `copy` of a transaction: the number of the account's transactions with its id before it. */
export const itemOf = <Kind extends ItemKind>(kind: Kind, content: Contents[Kind], copy = 0): Item<Kind> => ({
  kind,
  identity: identities[kind](content),
  copy,
  content,
})

/** The digits of a time to the second, as in the API: `20261121021513`. */
const copyOfTime = (instant: Instant): number => Number(toWireDatetime(instant).replaceAll(/\D/g, ''))

/** Notes with one content: one without a time of its own (copy 0), and one for each given time. */
export const noteItem = ({ note, isTimeGiven }: NewNote): Item<'note'> =>
  itemOf('note', note, isTimeGiven ? copyOfTime(note.created_at) : 0)

/** Items of the payload have the names that they would have if they had been added. */
const namesInPayload: { readonly [Kind in ItemKind]: (details: AccountDetails) => readonly ItemName[] } = {
  note: ({ notes }) => notes.map((note) => noteItem({ note, isTimeGiven: true })),
  statement: ({ statements }) => statements.map((each) => itemOf('statement', each)),
  payment_instruction: ({ payment_instructions }) =>
    payment_instructions.map((each) => itemOf('payment_instruction', each)),
  transaction: (details) => {
    const times = new Map<string, number>()
    return transactionsOf(details).map((transaction) => {
      const copy = times.get(transaction.transaction_id) ?? 0
      times.set(transaction.transaction_id, copy + 1)
      return itemOf('transaction', { transaction }, copy)
    })
  },
}

const nameText = ({ identity, copy }: ItemName): string => `${copy} ${identity}`

/** Whether the account was created with an item of the same kind and name. */
export const isInPayload = (details: AccountDetails, kind: ItemKind): ((item: ItemName) => boolean) => {
  const names = new Set(namesInPayload[kind](details).map(nameText))
  return (item) => names.has(nameText(item))
}

/** Kinds whose identities would reveal a part of their contents. Ids of transactions and statements remain plain. */
const fingerprinted: ReadonlySet<ItemKind> = new Set(['note', 'payment_instruction'])

/** A searchable substitute for a value: equal for the same value and data key, and useless without that key. */
const fingerprint = (dataKey: Uint8Array, kind: string, value: string): string =>
  createHmac('sha256', dataKey)
    .update(JSON.stringify([kind, value]))
    .digest('hex')

/** The stored form of an identity: a fingerprint where the content is encrypted and the identity would reveal a part of it. */
export const keptIdentity = (dataKey: DataKey | undefined, kind: ItemKind, identity: string): string =>
  dataKey !== undefined && fingerprinted.has(kind) ? fingerprint(dataKey.bytes, kind, identity) : identity

const ownerOf = (key: ImportKeyRow, kind: ItemKind, ordinal: number) =>
  [
    tables.accountItems,
    key.organisation,
    key.import_supplier,
    key.external_account_number,
    kind,
    String(ordinal),
  ] as const

export const itemRow = (
  key: ImportKeyRow,
  { kind, identity, copy, content }: Item,
  ordinal: number,
  dataKey: DataKey | undefined,
): NewRow<ItemRow> => ({
  ...key,
  kind,
  ordinal,
  identity: keptIdentity(dataKey, kind, identity),
  copy,
  content: keptText(dataKey, ownerOf(key, kind, ordinal), JSON.stringify(content)),
})

type ReadItem = ImportKeyRow & Pick<ItemRow, 'kind' | 'ordinal' | 'content'>

const contents = jsonColumn('account_items.content', t.UnknownRecord)

/** The content of an item. Throws a `DecryptionError` or a `StoredJsonError`. */
export const contentIn = <Kind extends ItemKind>(
  dataKey: DataKey | undefined,
  row: ReadItem & Readonly<{ kind: Kind }>,
): Contents[Kind] =>
  contents.read(
    readEither(dataKey, ownerOf(row, row.kind, row.ordinal), row.content),
  ) as unknown as Contents[Kind]

/** The added items of an account from its rows, which are in the order of their ordinals. Throws as `contentIn` does. */
export const itemsIn = (dataKey: DataKey | undefined, rows: readonly ReadItem[]): AddedItems => {
  const of = <Kind extends ItemKind>(kind: Kind): readonly Contents[Kind][] =>
    rows
      .filter((row): row is ReadItem & Readonly<{ kind: Kind }> => row.kind === kind)
      .map((row) => contentIn(dataKey, row))
  return {
    transactions: of('transaction'),
    statements: of('statement'),
    notes: of('note'),
    payment_instructions: of('payment_instruction'),
  }
}
