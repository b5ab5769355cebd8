import { createHmac } from 'node:crypto'
import type {
  AccountNote,
  AccountPaymentInstruction,
  AccountStatement,
  Instant,
  NewNote,
} from '@account-import/core'
import {
  type AccountDocument,
  type AccountItems,
  noteContent,
  type PlacedTransaction,
  toWireDatetime,
} from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { type DataKey, keptText, readEither, sha256 } from '../sql/crypto.js'
import {
  importKeyOf,
  type ImportKeyRow,
  importKeyValues,
  jsonColumn,
  type NewRow,
  tables,
} from '../sql/rows.js'

export type AccountRow = ImportKeyRow &
  Readonly<{
    platform_account_number: string
    operations_team: string
    staged_version: number
    created_at: string
    import_run: string | null
    erased_at: string | null
    /** Incremented by every addition: a cluster commits only one of two concurrent writes of a row. */
    additions: number
    /** The data key of the account; NULL where nothing is encrypted. */
    data_key: string | null
    /** `AccountDocument` as JSON text, plain or encrypted. */
    details: string
  }>

const documentOwner = (key: ImportKeyRow) => [tables.accounts, ...importKeyValues(importKeyOf(key))] as const

const documents = jsonColumn('accounts.details', t.UnknownRecord)

/** The stored form of an account's document. */
export const keptDocument = (
  dataKey: DataKey | undefined,
  key: ImportKeyRow,
  document: AccountDocument,
): string => keptText(dataKey, documentOwner(key), JSON.stringify(document))

/** The JSON text of the document. Throws a `DecryptionError`. */
export const documentText = (
  dataKey: DataKey | undefined,
  row: ImportKeyRow & Pick<AccountRow, 'details'>,
): string => readEither(dataKey, documentOwner(row), row.details)

/** The document of an account. Throws a `DecryptionError` or a `StoredJsonError`. */
export const documentIn = (
  dataKey: DataKey | undefined,
  row: ImportKeyRow & Pick<AccountRow, 'details'>,
): AccountDocument => documents.read(documentText(dataKey, row)) as unknown as AccountDocument

/** The content type of each kind of item. */
type Contents = Readonly<{
  transaction: PlacedTransaction
  statement: AccountStatement
  note: AccountNote
  payment_instruction: AccountPaymentInstruction
}>

type ItemKind = keyof Contents

/**
 * A part of an account before it has an ordinal and is encrypted. No two items of a kind have the same `identity` and `copy`,
 * unless `copy` is null.
 */
export type Item<Kind extends ItemKind = ItemKind> = Readonly<{
  kind: Kind
  /** At most 255 characters. */
  identity: string
  copy: number | null
  content: Contents[Kind]
}>

export type ItemRow = ImportKeyRow &
  Readonly<{
    kind: ItemKind
    /** Counts the items of the kind, from 0 on. */
    ordinal: number
    /** Plain, or a fingerprint where the content is encrypted and the identity would reveal a part of it. */
    identity: string
    copy: number | null
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

/** `copy` of a transaction: the number of transactions with its id before it. */
export const itemOf = <Kind extends ItemKind>(
  kind: Kind,
  content: Contents[Kind],
  copy: number | null = 0,
): Item<Kind> => ({ kind, identity: identities[kind](content), copy, content })

/** The digits of a time to the second, as in the API: `20261121021513`. */
const copyOfTime = (instant: Instant): number => Number(toWireDatetime(instant).replaceAll(/\D/g, ''))

/** Notes with one content: one without a time of its own (copy 0), and one for each given time. */
export const noteItem = ({ note, isTimeGiven }: NewNote): Item<'note'> =>
  itemOf('note', note, isTimeGiven ? copyOfTime(note.created_at) : 0)

/** The notes that an account is created with. All are stored; a repeated note has a null `copy`. */
const createdNotes = (notes: readonly AccountNote[]): readonly Item<'note'>[] => {
  const seen = new Set<string>()
  return notes.map((note) => {
    const item = noteItem({ note, isTimeGiven: true })
    const name = `${item.identity} ${item.copy}`
    if (seen.has(name)) return { ...item, copy: null }
    seen.add(name)
    return item
  })
}

const createdTransactions = (transactions: readonly PlacedTransaction[]): readonly Item<'transaction'>[] => {
  const counts = new Map<string, number>()
  return transactions.map((each) => {
    const { transaction_id: id } = each.transaction
    const copy = counts.get(id) ?? 0
    counts.set(id, copy + 1)
    return itemOf('transaction', each, copy)
  })
}

/** The items that an account is created with, kind by kind, each in its order. */
export const createdItems = (items: AccountItems): readonly Item[] => [
  ...createdNotes(items.notes),
  ...items.payment_instructions.map((each) => itemOf('payment_instruction', each)),
  ...items.statements.map((each) => itemOf('statement', each)),
  ...createdTransactions(items.transactions),
]

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

/** Field by field: spreading the key into each of thousands of rows costs more than all other work. */
export const itemRow = (
  key: ImportKeyRow,
  { kind, identity, copy, content }: Item,
  ordinal: number,
  dataKey: DataKey | undefined,
): NewRow<ItemRow> => ({
  organisation: key.organisation,
  import_supplier: key.import_supplier,
  external_account_number: key.external_account_number,
  kind,
  ordinal,
  identity: keptIdentity(dataKey, kind, identity),
  copy,
  content: keptText(dataKey, ownerOf(key, kind, ordinal), JSON.stringify(content)),
})

/** The rows of the items that an account is created with. */
export const createdItemRows = (
  key: ImportKeyRow,
  items: AccountItems,
  dataKey: DataKey | undefined,
): readonly NewRow<ItemRow>[] => {
  let last: ItemKind | undefined
  let ordinal = 0
  return createdItems(items).map((item) => {
    ordinal = item.kind === last ? ordinal + 1 : 0
    last = item.kind
    return itemRow(key, item, ordinal, dataKey)
  })
}

type ReadItem = ImportKeyRow & Pick<ItemRow, 'kind' | 'ordinal' | 'content'>

const contents = jsonColumn('account_items.content', t.UnknownRecord)

/** The JSON text of an item. Throws a `DecryptionError`. */
export const itemText = (dataKey: DataKey | undefined, row: ReadItem): string =>
  readEither(dataKey, ownerOf(row, row.kind, row.ordinal), row.content)

/** The content of an item. Throws a `DecryptionError` or a `StoredJsonError`. */
export const contentIn = <Kind extends ItemKind>(
  dataKey: DataKey | undefined,
  row: ReadItem & Readonly<{ kind: Kind }>,
): Contents[Kind] => contents.read(itemText(dataKey, row)) as unknown as Contents[Kind]

/** The items of an account from its rows, which are in the order of their ordinals. Throws as `contentIn` does. */
export const itemsIn = (dataKey: DataKey | undefined, rows: readonly ReadItem[]): AccountItems => {
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
