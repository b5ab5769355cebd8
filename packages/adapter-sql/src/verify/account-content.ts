import type { AccountDetails, AccountNote, AccountPayload, PlacedTransaction } from '@account-import/core'
import { accountFromPayload, transactionsOf } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import {
  contentIn,
  isInPayload,
  type Item,
  type ItemKind,
  itemOf,
  type ItemRow,
  keptIdentity,
  noteItem,
} from '../ports/added-items.js'
import { payloadOf } from '../ports/import-rows.js'
import {
  type DataKey,
  type DataKeys,
  DecryptionError,
  isEncrypted,
  KeyRingError,
  sha256,
} from '../sql/crypto.js'
import { grouped, importKeyOf, instant, jsonColumn, StoredJsonError } from '../sql/rows.js'
import type { VerifiedImport } from './import-rules.js'

/** Whether an error is one of changed ciphertext, changed JSON, or JSON of another form. */
const isOfChange = (cause: unknown): boolean =>
  cause instanceof DecryptionError ||
  cause instanceof StoredJsonError ||
  cause instanceof TypeError ||
  (cause instanceof KeyRingError && cause.kind === 'unexpected')

/** Undefined where what is read was changed after it was written. */
const unlessChanged = async <A>(read: () => A | Promise<A>): Promise<A | undefined> => {
  try {
    return await read()
  } catch (cause) {
    if (isOfChange(cause)) return undefined
    throw cause
  }
}

const payloads = jsonColumn('account_imports.payload', t.UnknownRecord)

/**
 * The payload of an import; undefined where it does not have its hash, cannot be decrypted, or is of another account. Staging has
 * validated it, so any JSON of the account is accepted.
 */
export const sentPayload = (keys: DataKeys, row: VerifiedImport): Promise<AccountPayload | undefined> =>
  unlessChanged(async () => {
    const { payload, data_key } = row
    if (payload === null) return undefined
    const text = await payloadOf(keys, importKeyOf(row), { payload, data_key })
    if (sha256(text) !== row.payload_hash) return undefined
    const account = payloads.read(text)
    const isOwn =
      account['import_supplier'] === row.import_supplier &&
      account['external_account_number'] === row.external_account_number
    return isOwn ? (account as unknown as AccountPayload) : undefined
  })

/** An amount in JSON is a text, and not a number. */
const money = /^"-?\d+\.\d\d"$/

/** The item of a row, as this version writes it; throws for a row that contains something else. */
const itemIn = (dataKey: DataKey | undefined, row: ItemRow): Item => {
  const content = contentIn(dataKey, row)
  if (row.kind === 'note')
    return noteItem({ note: content as AccountNote, isTimeGiven: Number(row.copy) !== 0 })
  if (row.kind === 'transaction') {
    const { amount } = (content as PlacedTransaction).transaction
    if (!money.test(JSON.stringify(amount))) throw new TypeError('the amount is not money')
    return itemOf(row.kind, content as PlacedTransaction, Number(row.copy))
  }
  return itemOf(row.kind, content as Item<typeof row.kind>['content'])
}

const isPlaced = ({ ledgers }: AccountDetails, { ledger }: PlacedTransaction): boolean =>
  ledger === undefined ? ledgers.length === 0 : ledger < ledgers.length

/** Whether the copies of each transaction id are numbered after those of the payload, without gaps. */
const areCopiesInOrder = (details: AccountDetails, rows: readonly ItemRow[]): boolean => {
  const own = grouped(transactionsOf(details), ({ transaction_id }) => transaction_id)
  return [...grouped(rows, ({ identity }) => identity)].every(([identity, ofIdentity]) => {
    const first = own.get(identity)?.length ?? 0
    const copies = ofIdentity.map(({ copy }) => Number(copy)).toSorted((one, other) => one - other)
    return copies.every((copy, at) => copy === first + at)
  })
}

/** Whether the rows of a kind, in the order of their ordinals, are items that could be added to the account. */
const areAdditions = (
  details: AccountDetails,
  dataKey: DataKey | undefined,
  kind: ItemKind,
  rows: readonly ItemRow[],
): boolean => {
  const isOwn = isInPayload(details, kind)
  const isAddition = (row: ItemRow, at: number): boolean => {
    const item = itemIn(dataKey, row)
    const identity = keptIdentity(isEncrypted(row.content) ? dataKey : undefined, kind, item.identity)
    const isPossible =
      kind === 'transaction' ? isPlaced(details, item.content as PlacedTransaction) : !isOwn(item)
    return row.ordinal === at && row.identity === identity && Number(row.copy) === item.copy && isPossible
  }
  return rows.every(isAddition) && (kind !== 'transaction' || areCopiesInOrder(details, rows))
}

/** The kinds of additions that the account cannot have got as they are stored. `items`: in the order of their ordinals. */
export const wrongAdditions = async (
  keys: DataKeys,
  row: VerifiedImport,
  payload: AccountPayload,
  items: readonly ItemRow[],
): Promise<readonly string[]> => {
  const kinds = grouped(items, ({ kind }) => kind)
  const { account_created_at: createdAt, created_format: format } = row
  const details = await unlessChanged(() =>
    accountFromPayload(payload, instant.read(createdAt), Number(format)),
  )
  if (details === undefined) return [...kinds.keys()]
  const dataKey = await keys.of(row.data_key)
  const wrong: string[] = []
  for (const [kind, rows] of kinds)
    if ((await unlessChanged(() => areAdditions(details, dataKey, kind, rows))) !== true) wrong.push(kind)
  return wrong
}
