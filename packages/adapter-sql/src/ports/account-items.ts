import type {
  AccountNote,
  AccountNotes,
  AccountPaymentInstructions,
  AccountStatements,
  AccountTransactions,
  Instant,
  LocalDate,
  LockedAccount,
} from '@account-import/core'
import type { AccountDocument } from '@account-import/core/adapter-kit'
import { type DataKey, sha256 } from '../sql/crypto.js'
import { LostRace, sqlPort } from '../sql/failures.js'
import { importKeyRow, importKeyValues, instant, keyColumns, ofImport, tables } from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { accountDataKey, accountText, type AccountRow, beginAddition, documentIn } from './accounts.js'
import {
  contentIn,
  instructionIdentity,
  type Item,
  itemOf,
  itemRow,
  type ItemRow,
  keptIdentity,
  noteItem,
} from './item-rows.js'

const lastText = `SELECT ordinal FROM ${tables.accountItems} WHERE ${ofImport} AND kind = ? ORDER BY ordinal DESC LIMIT 1`

/** Adds items of one kind after those of the locked account. Throws `LostRace` where one of them exists already. */
const append = async (db: Db, account: LockedAccount, items: readonly Item[]): Promise<void> => {
  const [first] = items
  if (first === undefined) return
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

const ofItem = keyColumns.map((column) => `t.${column} = ?`).join(' AND ')

/** Items of one kind of a locked account that have one of the identities, read by one statement for any number of them. */
const itemsWith = <Column extends keyof ItemRow>(
  db: Db,
  account: LockedAccount,
  kind: Item['kind'],
  identities: readonly string[],
  columns: readonly Column[],
): Promise<readonly Pick<ItemRow, Column>[]> =>
  db.select<Pick<ItemRow, Column>>(
    `SELECT ${columns.map((column) => `t.${column}`).join(', ')} FROM ${db.dialect.textsJoin} ` +
      `${db.dialect.foundBy(`${tables.accountItems} AS t`, 'account_items_by_identity')} ` +
      `ON ${ofItem} AND t.kind = ? AND t.identity = sent.value`,
    [JSON.stringify([...new Set(identities)]), ...importKeyValues(account.key), kind],
  )

const noteColumns = [...keyColumns, 'kind', 'ordinal', 'identity', 'content'] as const

/** The identities that an item may be stored with: items from before the account had its data key are plain. */
const keptIdentities = (
  dataKey: DataKey | undefined,
  kind: Item['kind'],
  identity: string,
): readonly string[] => [...new Set([identity, keptIdentity(dataKey, kind, identity)])]

type ReadDocument = Readonly<{ document: AccountDocument; createdAt: Instant }>

/** The documents of locked accounts; a document does not change under the lock. */
const documents = new WeakMap<LockedAccount, Promise<ReadDocument>>()

const documentOf = (db: Db, account: LockedAccount): Promise<ReadDocument> => {
  const read = async (): Promise<ReadDocument> => {
    const [row] = await db.select<AccountRow>(accountText, importKeyValues(account.key))
    if (row === undefined) throw new Error('the locked account does not exist')
    const dataKey = await db.dataKeys.of(row.data_key)
    return { document: documentIn(dataKey, row), createdAt: instant.read(row.created_at) }
  }
  const known = documents.get(account) ?? read()
  documents.set(account, known)
  return known
}

const earliest = (days: readonly string[]): LocalDate | undefined =>
  days.toSorted()[0] as LocalDate | undefined

/** The number of copies of each id. The copies of an id are numbered from 0 on, without gaps. */
const timesAdded = (rows: readonly Pick<ItemRow, 'identity' | 'copy'>[]): ReadonlyMap<string, number> => {
  const times = new Map<string, number>()
  for (const { identity, copy } of rows)
    times.set(identity, Math.max(times.get(identity) ?? 0, Number(copy) + 1))
  return times
}

/** The stores of items that may be added to a locked account. */
export const sqlAccountAdditions = ({ inTransaction, transaction }: Session) => ({
  accountNotes: sqlPort<AccountNotes>('accountNotes', {
    withContents: async (account, contents) => {
      if (contents.length === 0) return new Map()
      return transaction(async (db) => {
        const dataKey = await accountDataKey(db, account)
        const byIdentity = new Map(
          contents.flatMap((content) =>
            keptIdentities(dataKey, 'note', sha256(content)).map((identity) => [identity, content] as const),
          ),
        )
        const rows = await itemsWith(db, account, 'note', [...byIdentity.keys()], noteColumns)
        const known = new Map<string, Instant[]>()
        for (const row of rows as readonly (ItemRow & Readonly<{ kind: 'note' }>)[]) {
          const content = byIdentity.get(row.identity) ?? ''
          const note: AccountNote = contentIn(dataKey, row)
          const instants = known.get(content) ?? []
          instants.push(note.created_at)
          known.set(content, instants)
        }
        return known
      })
    },
    add: inTransaction((db, account, notes) => append(db, account, notes.map(noteItem))),
  }),
  accountStatements: sqlPort<AccountStatements>('accountStatements', {
    existingIds: async (account, ids) => {
      if (ids.length === 0) return new Set()
      const found = await transaction((db) => itemsWith(db, account, 'statement', ids, ['identity']))
      return new Set(found.map(({ identity }) => identity))
    },
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
      const dataKey = await accountDataKey(db, account)
      const identities = keptIdentities(dataKey, 'payment_instruction', instructionIdentity(instruction))
      return (await itemsWith(db, account, 'payment_instruction', identities, ['identity'])).length > 0
    }),
    add: inTransaction((db, account, instruction) =>
      append(db, account, [itemOf('payment_instruction', instruction)]),
    ),
  }),
  accountTransactions: sqlPort<AccountTransactions>('accountTransactions', {
    known: inTransaction(async (db, account, ids) => {
      const { document, createdAt } = await documentOf(db, account)
      const copies = await itemsWith(db, account, 'transaction', ids, ['identity', 'copy'])
      const addresses = document.supply_addresses
      return {
        ledgers: document.ledgers.map(({ ledger_code, last_statement_closing_date: closed }) => ({
          ledgerCode: ledger_code,
          lastStatementClosingDate: closed as LocalDate | undefined,
        })),
        timesAdded: timesAdded(copies),
        earliestSupplyStart: earliest(
          addresses.flatMap(({ supply_points }) => supply_points.map((point) => point.supply_start_date)),
        ),
        earliestAtAddress: earliest(addresses.map((entry) => entry.customer_at_supply_address_from_date)),
        createdAt,
      }
    }),
    add: inTransaction(async (db, account, added) => {
      const { ledgers } = (await documentOf(db, account)).document
      const items = added.map(({ ledger, copy, transaction: content }) => {
        if (ledger !== undefined && ledgers[ledger] === undefined)
          throw new Error('the account has no such ledger')
        const placed = {
          ...(ledger !== undefined && { ledger }),
          period: 'current',
          transaction: content,
        } as const
        return itemOf('transaction', placed, copy)
      })
      await append(db, account, items)
    }),
  }),
})
