import type {
  AccountNotes,
  AccountPaymentInstructions,
  AccountStatements,
  AccountTransactions,
  Instant,
  LockedAccount,
} from '@account-import/core'
import { accountForTransactions, noteContent, transactionsOf } from '@account-import/core/adapter-kit'
import { type DataKey, sha256 } from '../sql/crypto.js'
import { LostRace, sqlPort } from '../sql/failures.js'
import {
  filledUp,
  importKeyRow,
  importKeyValues,
  instant,
  keyColumns,
  ofImport,
  placeholders,
  tables,
} from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import {
  contentIn,
  instructionIdentity,
  isInPayload,
  type Item,
  type ItemKind,
  itemOf,
  type ItemRow,
  itemRow,
  keptIdentity,
  noteItem,
} from './added-items.js'
import { heldDetails, heldRow } from './accounts.js'
import { keptPayload, payloadOf } from './import-rows.js'

/** The data key of a locked account; undefined where it has none. */
const accountDataKey = ({ dataKeys }: Db, account: LockedAccount): Promise<DataKey | undefined> =>
  dataKeys.of(heldRow(account).row.data_key)

const countText = `UPDATE ${tables.accountImports} SET additions = additions + 1 WHERE ${ofImport}`
const encryptText =
  `UPDATE ${tables.accountImports} SET additions = additions + 1, payload = ?, data_key = ?, warned = NULL ` +
  `WHERE ${ofImport}`

/**
 * Writes the row of a locked account, as an erasure does, and returns the data key for the additions. With a key ring, a plain
 * account is encrypted from its next addition on: an encrypted row never has a plain payload.
 */
const beginAddition = async (db: Db, account: LockedAccount): Promise<DataKey | undefined> => {
  const found = heldRow(account)
  const { payload, data_key } = found.row
  const name = importKeyValues(account.key)
  if (payload !== null && data_key === null) {
    const text = await payloadOf(db.dataKeys, account.key, { payload, data_key })
    const kept = await keptPayload(db, account.key, text)
    if (kept.data_key !== null) {
      await db.change(encryptText, [kept.payload, kept.data_key, ...name])
      found.row = { ...found.row, ...kept }
      return accountDataKey(db, account)
    }
  }
  await db.change(countText, name)
  return accountDataKey(db, account)
}

const lastText = `SELECT ordinal FROM ${tables.accountItems} WHERE ${ofImport} AND kind = ? ORDER BY ordinal DESC LIMIT 1`

/**
 * Adds items of one kind after those of the locked account. Throws an error for an item that the account was created with, and
 * `LostRace` for one that was added to it.
 */
const append = async (db: Db, account: LockedAccount, items: readonly Item[]): Promise<void> => {
  const [first] = items
  if (first === undefined) return
  if (items.some(isInPayload(await heldDetails(db, account), first.kind)))
    throw new Error('the account was created with the item')
  const dataKey = await beginAddition(db, account)
  const [last] = await db.select<Pick<ItemRow, 'ordinal'>>(lastText, [
    ...importKeyValues(account.key),
    first.kind,
  ])
  const next = (last?.ordinal ?? -1) + 1
  const key = importKeyRow(account.key)
  const rows = items.map((item, index) => itemRow(key, item, next + index, dataKey))
  if (!(await db.insertNew(tables.accountItems, rows))) throw new LostRace()
}

/** Most identities in one statement: MariaDB makes a subquery of a list of a thousand. */
const mostIdentities = 512

/** Added items of one kind that have one of the identities. */
const itemsWith = async <Column extends keyof ItemRow>(
  db: Db,
  account: LockedAccount,
  kind: ItemKind,
  identities: readonly string[],
  columns: readonly Column[],
): Promise<readonly Pick<ItemRow, Column>[]> => {
  const distinct = [...new Set(identities)]
  const found: Pick<ItemRow, Column>[] = []
  for (let from = 0; from < distinct.length; from += mostIdentities) {
    const list = filledUp(distinct.slice(from, from + mostIdentities))
    const rows = await db.select<Pick<ItemRow, Column>>(
      `SELECT ${columns.join(', ')} FROM ${db.dialect.foundBy(tables.accountItems, 'account_items_by_identity')} ` +
        `WHERE ${ofImport} AND kind = ? AND identity IN (${placeholders(list.length)})`,
      [...importKeyValues(account.key), kind, ...list],
    )
    found.push(...rows)
  }
  return found
}

const noteColumns = [...keyColumns, 'kind', 'ordinal', 'identity', 'content'] as const

/** The identities that an item may be stored with: items from before the account had its data key are plain. */
const keptIdentities = (
  dataKey: DataKey | undefined,
  kind: ItemKind,
  identity: string,
): readonly string[] => [...new Set([identity, keptIdentity(dataKey, kind, identity)])]

/** Whether the account was created with an item of the kind and identity, or got one later. */
const existing = async (
  db: Db,
  account: LockedAccount,
  kind: ItemKind,
  identities: readonly string[],
): Promise<ReadonlySet<string>> => {
  const isOwn = isInPayload(await heldDetails(db, account), kind)
  const dataKey = await accountDataKey(db, account)
  const byKept = new Map(
    identities.flatMap((identity) =>
      keptIdentities(dataKey, kind, identity).map((kept) => [kept, identity] as const),
    ),
  )
  const added = await itemsWith(db, account, kind, [...byKept.keys()], ['identity'])
  return new Set([
    ...identities.filter((identity) => isOwn({ identity, copy: 0 })),
    ...added.flatMap(({ identity }) => byKept.get(identity) ?? []),
  ])
}

/** The times of the account's notes with each of the contents. */
const notesWith = async (
  db: Db,
  account: LockedAccount,
  contents: readonly string[],
): Promise<ReadonlyMap<string, readonly Instant[]>> => {
  const known = new Map<string, Instant[]>()
  const wanted = new Set(contents)
  const add = (content: string, at: Instant): void => {
    if (!wanted.has(content)) return
    const instants = known.get(content)
    if (instants === undefined) known.set(content, [at])
    else instants.push(at)
  }
  for (const note of (await heldDetails(db, account)).notes) add(noteContent(note), note.created_at)
  const dataKey = await accountDataKey(db, account)
  const identities = [...wanted].flatMap((content) => keptIdentities(dataKey, 'note', sha256(content)))
  const rows = await itemsWith(db, account, 'note', identities, noteColumns)
  for (const row of rows) {
    const note = contentIn(dataKey, { ...row, kind: 'note' })
    add(noteContent(note), note.created_at)
  }
  return known
}

/** How often the account has each of the ids. The copies of an id are numbered from 0 on, without gaps, those of the payload first. */
const timesAdded = async (
  db: Db,
  account: LockedAccount,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const times = new Map<string, number>()
  const wanted = new Set(ids)
  for (const { transaction_id: id } of transactionsOf(await heldDetails(db, account)))
    if (wanted.has(id)) times.set(id, (times.get(id) ?? 0) + 1)
  for (const { identity, copy } of await itemsWith(db, account, 'transaction', ids, ['identity', 'copy']))
    times.set(identity, Math.max(times.get(identity) ?? 0, Number(copy) + 1))
  return times
}

/** The stores of items that may be added to a locked account. */
export const sqlAccountAdditions = ({ inTransaction, transaction }: Session) => ({
  accountNotes: sqlPort<AccountNotes>('accountNotes', {
    withContents: async (account, contents) =>
      contents.length === 0 ? new Map() : transaction((db) => notesWith(db, account, contents)),
    add: inTransaction((db, account, notes) => append(db, account, notes.map(noteItem))),
  }),
  accountStatements: sqlPort<AccountStatements>('accountStatements', {
    existingIds: async (account, ids) =>
      ids.length === 0 ? new Set() : transaction((db) => existing(db, account, 'statement', ids)),
    add: inTransaction((db, account, statements) =>
      append(
        db,
        account,
        statements.map((each) => itemOf('statement', each)),
      ),
    ),
  }),
  accountPaymentInstructions: sqlPort<AccountPaymentInstructions>('accountPaymentInstructions', {
    has: inTransaction(async (db, account, instruction) => {
      const identities = [instructionIdentity(instruction)]
      return (await existing(db, account, 'payment_instruction', identities)).size > 0
    }),
    add: inTransaction((db, account, instruction) =>
      append(db, account, [itemOf('payment_instruction', instruction)]),
    ),
  }),
  accountTransactions: sqlPort<AccountTransactions>('accountTransactions', {
    known: inTransaction(async (db, account, ids) => {
      const createdAt = instant.read(heldRow(account).row.account_created_at)
      return {
        ...accountForTransactions(await heldDetails(db, account), createdAt),
        timesAdded: await timesAdded(db, account, ids),
      }
    }),
    add: inTransaction(async (db, account, added) => {
      const { ledgers } = await heldDetails(db, account)
      const items = added.map(({ ledger, copy, transaction: content }) => {
        if (ledger !== undefined && ledgers[ledger] === undefined)
          throw new Error('the account has no such ledger')
        const placed = { ...(ledger !== undefined && { ledger }), transaction: content }
        return itemOf('transaction', placed, copy)
      })
      await append(db, account, items)
    }),
  }),
})
