import type { Account, AccountKey, LockableAccounts, LockedAccount } from '@account-import/core'
import {
  type AccountDocument,
  detailsOf,
  erasedDetails,
  partsOf,
  removedDetails,
} from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { type DataKey, DecryptionError, keptText, readEither } from '../sql/crypto.js'
import { sqlPort } from '../sql/failures.js'
import {
  grouped,
  importKeyOf,
  type ImportKeyRow,
  importKeyRow,
  importKeyValues,
  instant,
  jsonColumn,
  type NewRow,
  ofImport,
  ofSupplier,
  tables,
} from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { createdItemRows, type ItemRow, itemsIn } from './item-rows.js'

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

const ownerOf = (key: ImportKeyRow) => [tables.accounts, ...importKeyValues(importKeyOf(key))] as const

const details = jsonColumn('accounts.details', t.UnknownRecord)

/** The stored form of an account's document. */
const keptDocument = (dataKey: DataKey | undefined, key: ImportKeyRow, document: AccountDocument): string =>
  keptText(dataKey, ownerOf(key), JSON.stringify(document))

/** The JSON text of the document. Throws a `DecryptionError`. */
export const documentText = (
  dataKey: DataKey | undefined,
  row: ImportKeyRow & Pick<AccountRow, 'details'>,
): string => readEither(dataKey, ownerOf(row), row.details)

/** The document of an account. Throws a `DecryptionError` or a `StoredJsonError`. */
export const documentIn = (
  dataKey: DataKey | undefined,
  row: ImportKeyRow & Pick<AccountRow, 'details'>,
): AccountDocument => details.read(documentText(dataKey, row)) as unknown as AccountDocument

const itemColumns = 'organisation, import_supplier, external_account_number, kind, ordinal, content'
export const accountText = `SELECT * FROM ${tables.accounts} WHERE ${ofImport}`
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
export const accountDataKey = ({ dataKeys }: Db, account: LockedAccount): Promise<DataKey | undefined> =>
  dataKeys.of(dataKeyColumns.get(account) ?? null)

const addText =
  `UPDATE ${tables.accounts} SET additions = additions + 1, data_key = COALESCE(data_key, ?) ` +
  `WHERE ${ofImport}`

/**
 * Writes the row of a locked account, as an erasure does, and returns the data key for the additions. With a key ring, an account
 * without a data key gets one.
 */
export const beginAddition = async (db: Db, account: LockedAccount): Promise<DataKey | undefined> => {
  const dataKey = (await accountDataKey(db, account)) ?? (await db.dataKeys.make())
  await db.change(addText, [dataKey?.column ?? null, ...importKeyValues(account.key)])
  if (dataKey !== undefined) dataKeyColumns.set(account, dataKey.column)
  return dataKey
}

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
    // Sends two statements for any page.
    page: inQuery(async (db, { organisation, importSupplier, after = '', limit }) => {
      const { dialect } = db
      const supplier = [organisation, importSupplier]
      const rows = await db.page<AccountRow>(
        `SELECT * FROM ${dialect.inOrderOf(tables.accounts, 'PRIMARY')} WHERE ${ofSupplier}`,
        supplier,
        { order: ['external_account_number'], after: [after], limit },
      )
      const [first, last] = [rows[0], rows.at(-1)]
      if (first === undefined || last === undefined) return []
      const items = await db.select<ItemRow>(
        `SELECT ${itemColumns} FROM ${dialect.inOrderOf(tables.accountItems, 'PRIMARY')} WHERE ${ofSupplier} ` +
          'AND external_account_number BETWEEN ? AND ? ORDER BY external_account_number, kind, ordinal',
        [...supplier, first.external_account_number, last.external_account_number],
      )
      const itemsOf = grouped(items, (item) => item.external_account_number)
      return Promise.all(
        rows.map(async (row) => ({
          account: await accountOf(db, row, itemsOf.get(row.external_account_number) ?? []),
          additions: row.additions,
        })),
      )
    }),
  })
