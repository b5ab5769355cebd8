import type {
  AccountForTransactions,
  AccountNote,
  AccountNotes,
  AccountPaymentInstructions,
  AccountStatements,
  AccountTransactions,
  AddedTransaction,
  Instant,
  KnownNotes,
  LocalDate,
  LockedAccount,
} from '@account-import/core'
import type { AccountDocument } from '@account-import/core/adapter-kit'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import type { Statements } from '../drivers/statements.js'
import type { DataKey } from '../sql/crypto.js'
import { LostRace, sqlPortCall, unlessDuplicate } from '../sql/failures.js'
import { fromSqlInstant, importKeyRow, tables } from '../sql/rows.js'
import type { Session } from '../sql/session.js'
import { importKeyValues, insertRows, keyColumns, ofImport, selectRows } from '../sql/sql.js'
import { accountDataKey, type AccountRow, beginAddition, documentIn } from './accounts.js'
import {
  contentIn,
  instructionIdentity,
  instructionItem,
  type Item,
  type ItemKind,
  itemRow,
  type ItemRow,
  keptIdentities,
  noteIdentity,
  noteItem,
  statementItem,
  transactionItem,
} from './item-rows.js'

const lastText = `SELECT ordinal FROM ${tables.accountItems} WHERE ${ofImport} AND kind = ? ORDER BY ordinal DESC LIMIT 1`

/**
 * Adds items of one kind after those that the locked account has, however many there are. Throws `LostRace` where one of them
 * is there already.
 */
const append = async (
  db: Statements,
  { dialect, dataKeys }: Session,
  account: LockedAccount,
  items: readonly Item[],
): Promise<void> => {
  const [first] = items
  if (first === undefined) return
  const dataKey = await beginAddition(db, dataKeys, account)
  const [last] = await selectRows<Pick<ItemRow, 'ordinal'>>(db, lastText, [
    ...importKeyValues(account.key),
    first.kind,
  ])
  const next = (last?.ordinal ?? -1) + 1
  const key = importKeyRow(account.key)
  const rows = items.map((item, index) => itemRow(key, item, next + index, dataKey))
  const insert = async (): Promise<boolean> => {
    await insertRows(db, dialect, tables.accountItems, rows)
    return true
  }
  if (!(await unlessDuplicate(insert, false))) throw new LostRace()
}

const ofItem = keyColumns.map((column) => `t.${column} = ?`).join(' AND ')

/** Items of one kind of a locked account that have one of the identities, in one statement, however many there are. */
const itemsWith = <Column extends keyof ItemRow>(
  db: Statements,
  { jsonRows, foundBy }: SqlDialect,
  account: LockedAccount,
  kind: ItemKind,
  identities: readonly string[],
  columns: readonly Column[],
): Promise<readonly Pick<ItemRow, Column>[]> =>
  selectRows<Pick<ItemRow, Column>>(
    db,
    `SELECT ${columns.map((column) => `t.${column}`).join(', ')} FROM ${jsonRows.textsJoin} ` +
      `${foundBy(`${tables.accountItems} AS t`, 'account_items_by_identity')} ` +
      `ON ${ofItem} AND t.kind = ? AND t.identity = sent.value`,
    [JSON.stringify([...new Set(identities)]), ...importKeyValues(account.key), kind],
  )

type NoteRow = ItemRow & Readonly<{ kind: 'note' }>

const noteColumns = [...keyColumns, 'kind', 'ordinal', 'identity', 'content'] as const

/** When the notes with each of the contents were created. */
const notesWithContents = async (
  db: Statements,
  { dialect, dataKeys }: Session,
  account: LockedAccount,
  contents: readonly string[],
): Promise<KnownNotes> => {
  if (contents.length === 0) return new Map()
  const dataKey = await accountDataKey(dataKeys, account)
  const byIdentity = new Map(
    contents.flatMap((content) =>
      keptIdentities(dataKey, 'note', noteIdentity(content)).map((identity) => [identity, content] as const),
    ),
  )
  const rows = await itemsWith(db, dialect, account, 'note', [...byIdentity.keys()], noteColumns)
  const known = new Map<string, Instant[]>()
  for (const row of rows as readonly NoteRow[]) {
    const content = byIdentity.get(row.identity) ?? ''
    const note: AccountNote = contentIn(dataKey, row)
    const instants = known.get(content) ?? []
    instants.push(note.created_at)
    known.set(content, instants)
  }
  return known
}

const accountText = `SELECT * FROM ${tables.accounts} WHERE ${ofImport}`

/** The document of a locked account, which never changes while it is locked. */
const documents = new WeakMap<
  LockedAccount,
  Promise<Readonly<{ document: AccountDocument; createdAt: Instant }>>
>()

const documentOf = (
  db: Statements,
  { dataKeys }: Session,
  account: LockedAccount,
): Promise<Readonly<{ document: AccountDocument; createdAt: Instant }>> => {
  const read = async () => {
    const [row] = await selectRows<AccountRow>(db, accountText, importKeyValues(account.key))
    if (row === undefined) throw new Error('there is no account that was locked')
    const dataKey: DataKey | undefined = await dataKeys.of(row.data_key)
    return { document: documentIn(dataKey, row), createdAt: fromSqlInstant(row.created_at) }
  }
  const known = documents.get(account) ?? read()
  documents.set(account, known)
  return known
}

const earliest = (days: readonly string[]): LocalDate | undefined =>
  days.toSorted()[0] as LocalDate | undefined

/** How often each of the ids is there. The copies of an id are numbered from 0 on, without gaps. */
const timesAdded = (rows: readonly Pick<ItemRow, 'identity' | 'copy'>[]): ReadonlyMap<string, number> => {
  const times = new Map<string, number>()
  for (const { identity, copy } of rows)
    times.set(identity, Math.max(times.get(identity) ?? 0, Number(copy) + 1))
  return times
}

const accountForTransactions = async (
  db: Statements,
  session: Session,
  account: LockedAccount,
  ids: readonly string[],
): Promise<AccountForTransactions> => {
  const { document, createdAt } = await documentOf(db, session, account)
  const copies = await itemsWith(db, session.dialect, account, 'transaction', ids, ['identity', 'copy'])
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
}

const appendTransactions = async (
  db: Statements,
  session: Session,
  account: LockedAccount,
  added: readonly AddedTransaction[],
): Promise<void> => {
  const { document } = await documentOf(db, session, account)
  const items = added.map(({ ledger, copy, transaction }) => {
    if (ledger !== undefined && document.ledgers[ledger] === undefined)
      throw new Error('the account has no such ledger')
    return transactionItem({ ...(ledger !== undefined && { ledger }), period: 'current', transaction }, copy)
  })
  await append(db, session, account, items)
}

const notesCall = sqlPortCall('accountNotes')

export const sqlAccountNotes = (session: Session): AccountNotes => ({
  withContents: (account, contents) =>
    notesCall('withContents', () =>
      session.transaction((db) => notesWithContents(db, session, account, contents)),
    ),
  add: (account, notes) =>
    notesCall('add', () => session.transaction((db) => append(db, session, account, notes.map(noteItem)))),
})

const statementsCall = sqlPortCall('accountStatements')

export const sqlAccountStatements = (session: Session): AccountStatements => ({
  existingIds: (account, ids) =>
    statementsCall('existingIds', async () => {
      if (ids.length === 0) return new Set()
      const found = await session.transaction((db) =>
        itemsWith(db, session.dialect, account, 'statement', ids, ['identity']),
      )
      return new Set(found.map(({ identity }) => identity))
    }),
  add: (account, statements) =>
    statementsCall('add', () =>
      session.transaction((db) => append(db, session, account, statements.map(statementItem))),
    ),
})

const instructionsCall = sqlPortCall('accountPaymentInstructions')

export const sqlAccountPaymentInstructions = (session: Session): AccountPaymentInstructions => ({
  has: (account, instruction) =>
    instructionsCall('has', () =>
      session.transaction(async (db) => {
        const dataKey = await accountDataKey(session.dataKeys, account)
        const identities = keptIdentities(dataKey, 'payment_instruction', instructionIdentity(instruction))
        const { dialect } = session
        const found = await itemsWith(db, dialect, account, 'payment_instruction', identities, ['identity'])
        return found.length > 0
      }),
    ),
  add: (account, instruction) =>
    instructionsCall('add', () =>
      session.transaction((db) => append(db, session, account, [instructionItem(instruction)])),
    ),
})

const transactionsCall = sqlPortCall('accountTransactions')

export const sqlAccountTransactions = (session: Session): AccountTransactions => ({
  known: (account, ids) =>
    transactionsCall('known', () =>
      session.transaction((db) => accountForTransactions(db, session, account, ids)),
    ),
  add: (account, transactions) =>
    transactionsCall('add', () =>
      session.transaction((db) => appendTransactions(db, session, account, transactions)),
    ),
})
