import type {
  Account,
  AccountKey,
  AccountNote,
  AccountNotes,
  AccountPaymentInstructions,
  AccountStatements,
  AccountTransactions,
  Instant,
  LocalDate,
  LockableAccounts,
  LockedAccount,
  StoredAccount,
} from '@account-import/core'
import {
  type AccountDocument,
  detailsOf,
  erasedDetails,
  partsOf,
  removedDetails,
} from '@account-import/core/adapter-kit'
import { type DataKey, DecryptionError, sha256 } from '../sql/crypto.js'
import { LostRace, sqlPort } from '../sql/failures.js'
import {
  grouped,
  importKeyOf,
  importKeyRow,
  importKeyValues,
  instant,
  keyColumns,
  type NewRow,
  ofImport,
  ofSupplier,
  tables,
} from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import {
  type AccountRow,
  contentIn,
  createdItemRows,
  documentIn,
  instructionIdentity,
  type Item,
  itemOf,
  type ItemRow,
  itemRow,
  itemsIn,
  keptDocument,
  keptIdentity,
  noteItem,
} from './account-rows.js'

const itemColumns = 'organisation, import_supplier, external_account_number, kind, ordinal, content'
const accountText = `SELECT * FROM ${tables.accounts} WHERE ${ofImport}`
const itemsText = `SELECT ${itemColumns} FROM ${tables.accountItems} WHERE ${ofImport} ORDER BY kind, ordinal`

const accountOf = async ({ dataKeys }: Db, row: AccountRow, items: readonly ItemRow[]): Promise<Account> => {
  const dataKey = await dataKeys.of(row.data_key)
  return {
    key: importKeyOf(row),
    platformAccountNumber: row.platform_account_number,
    operationsTeam: row.operations_team,
    stagedVersion: row.staged_version,
    createdAt: instant.read(row.created_at),
    ...(row.import_run !== null && { importRun: row.import_run }),
    details: detailsOf(documentIn(dataKey, row), itemsIn(dataKey, items)),
  }
}

/** The account as it is stored. `end` ends both statements: a lock, or nothing. Throws a `KeyRingError` or a `DecryptionError`. */
const readAccount = async (db: Db, key: AccountKey, end = ''): Promise<Account | undefined> => {
  const [row] = await db.select<AccountRow>(`${accountText} ${end}`, importKeyValues(key))
  if (row === undefined) return undefined
  return accountOf(db, row, await db.select<ItemRow>(`${itemsText} ${end}`, importKeyValues(key)))
}

/** As `readAccount`, also while another transaction erases the account, or gives it its data key. */
export const findAccount = async (db: Db, key: AccountKey): Promise<Account | undefined> => {
  try {
    return await readAccount(db, key)
  } catch (cause) {
    if (!(cause instanceof DecryptionError)) throw cause
    // Another transaction gave the account its data key between the reads of the account and of its items.
    return readAccount(db, key)
  }
}

/**
 * Replaces an account by its erased form, and returns how much was removed. Locks the row as an addition does. Throws a
 * `KeyRingError` or a `DecryptionError` for an unreadable account, because its erased form is unknown.
 */
export const eraseAccount = async (
  db: Db,
  key: AccountKey,
  at: string,
): Promise<Readonly<{ rows: number; transactions: number }>> => {
  const account = await readAccount(db, key, db.dialect.forUpdate)
  if (account === undefined) return { rows: 0, transactions: 0 }
  const { document, items } = partsOf(erasedDetails(account.details))
  const row = importKeyRow(key)
  const left = { details: keptDocument(undefined, row, document), data_key: null, erased_at: at }
  await db.updateOne(tables.accounts, left, ofImport, importKeyValues(key))
  await db.change(`DELETE FROM ${tables.accountItems} WHERE ${ofImport}`, importKeyValues(key))
  await db.insert(tables.accountItems, createdItemRows(row, items, undefined))
  return removedDetails(account.details)
}

/** The `data_key` columns of locked accounts, which save another read. */
const dataKeyColumns = new WeakMap<LockedAccount, string | null>()

const lockText = `SELECT platform_account_number, data_key FROM ${tables.accounts} WHERE ${ofImport} AND erased_at IS NULL`

/** Locks the row of the account, unless the account is erased. */
const lock = async (db: Db, key: AccountKey): Promise<LockedAccount | undefined> => {
  const [row] = await db.select<AccountRow>(`${lockText} ${db.dialect.forUpdate}`, importKeyValues(key))
  if (row === undefined) return undefined
  const account = { key, platformAccountNumber: row.platform_account_number } as LockedAccount
  dataKeyColumns.set(account, row.data_key)
  return account
}

/** The data key of a locked account; undefined where it has none. */
const accountDataKey = ({ dataKeys }: Db, account: LockedAccount): Promise<DataKey | undefined> =>
  dataKeys.of(dataKeyColumns.get(account) ?? null)

const addText =
  `UPDATE ${tables.accounts} SET additions = additions + 1, data_key = COALESCE(data_key, ?) ` +
  `WHERE ${ofImport}`

/**
 * Writes the row of a locked account, as an erasure does, and returns the data key for the additions. With a key ring, an account
 * without a data key gets one.
 */
const beginAddition = async (db: Db, account: LockedAccount): Promise<DataKey | undefined> => {
  const dataKey = (await accountDataKey(db, account)) ?? (await db.dataKeys.make())
  await db.change(addText, [dataKey?.column ?? null, ...importKeyValues(account.key)])
  if (dataKey !== undefined) dataKeyColumns.set(account, dataKey.column)
  return dataKey
}

const ofSameAccount = keyColumns.map((column) => `i.${column} = t.${column}`).join(' AND ')

/** The length of the items of an account in the table `t`. */
const itemBytes = ({ dialect }: Db): string =>
  `(SELECT COALESCE(SUM(${dialect.bytesOf('content')}), 0) FROM ${tables.accountItems} i WHERE ${ofSameAccount})`

/** `lock` needs a transaction, which keeps the lock until it ends. */
export const sqlAccounts = ({ inQuery, inTransaction }: Session): LockableAccounts =>
  sqlPort<LockableAccounts>('accounts', {
    lock: inTransaction(lock),
    // Inserts the rows of all accounts together, table by table.
    create: inTransaction(async (db, accounts) => {
      const rows = await Promise.all(
        accounts.map(async (account) => {
          const { document, items } = partsOf(account.details)
          const dataKey = await db.dataKeys.make()
          const key = importKeyRow(account.key)
          const row: NewRow<AccountRow> = {
            ...key,
            platform_account_number: account.platformAccountNumber,
            operations_team: account.operationsTeam,
            staged_version: account.stagedVersion,
            created_at: instant.write(account.createdAt),
            import_run: account.importRun,
            erased_at: null,
            additions: 0,
            data_key: dataKey?.column,
            details: keptDocument(dataKey, key, document),
          }
          return { row, items: createdItemRows(key, items, dataKey) }
        }),
      )
      await db.insert(
        tables.accounts,
        rows.map(({ row }) => row),
      )
      await db.insert(
        tables.accountItems,
        rows.flatMap(({ items }) => items),
      )
    }),
    find: inQuery(findAccount),
    // Sends three statements for any page.
    page: inQuery(async (db, { organisation, importSupplier, ...place }) => {
      const { dialect } = db
      const supplier = [organisation, importSupplier]
      const { items: rows, isLast } = await db.storedPage<AccountRow>(
        {
          columns: '*',
          from: `FROM ${dialect.inOrderOf(`${tables.accounts} AS t`, 'PRIMARY')} WHERE ${ofSupplier}`,
          bytes: `${dialect.bytesOf('details')} + ${itemBytes(db)}`,
        },
        supplier,
        place,
      )
      const [first, last] = [rows[0], rows.at(-1)]
      if (first === undefined || last === undefined) return { items: [], isLast }
      const found = await db.select<ItemRow>(
        `SELECT ${itemColumns} FROM ${dialect.inOrderOf(tables.accountItems, 'PRIMARY')} WHERE ${ofSupplier} ` +
          'AND external_account_number BETWEEN ? AND ? ORDER BY external_account_number, kind, ordinal',
        [...supplier, first.external_account_number, last.external_account_number],
      )
      const itemsOf = grouped(found, (item) => item.external_account_number)
      const items: StoredAccount[] = []
      for (const row of rows)
        items.push({
          account: await accountOf(db, row, itemsOf.get(row.external_account_number) ?? []),
          additions: row.additions,
        })
      return { items, isLast }
    }),
  })

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
