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
    /** Written by every addition, and read by nobody: on a cluster one of two that write it at the same time commits. */
    additions: number
    /** The data key of the account; NULL where nothing is encrypted. */
    data_key: string | null
    /** `AccountDocument` as JSON text, plain or encrypted. */
    details: string
  }>

const ownerOf = (key: ImportKeyRow) => [tables.accounts, ...importKeyValues(importKeyOf(key))] as const

const details = jsonColumn('accounts.details', t.UnknownRecord)

/** How the row of an account keeps its document. */
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

/** The same, also while somebody erases the account, or encrypts something of it for the first time. */
export const findAccount = async (db: Db, key: AccountKey): Promise<Account | undefined> => {
  try {
    return await readAccount(db, key)
  } catch (cause) {
    if (!(cause instanceof DecryptionError)) throw cause
    // The data key came after the account was read and before its items were.
    return readAccount(db, key)
  }
}

/**
 * Puts what is left of an account in its place, and says how much was removed. Its row is locked as whoever adds to it locks it.
 * Throws a `KeyRingError` or a `DecryptionError` where it cannot be read: then nobody knows what is to be left of it.
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

/** The data keys of locked accounts as their rows hold them: nothing is read again to know one. */
const dataKeyColumns = new WeakMap<LockedAccount, string | null>()

const lockText = `SELECT platform_account_number, data_key FROM ${tables.accounts} WHERE ${ofImport} AND erased_at IS NULL`

/** Locks the row of the account, unless that was erased. */
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
 * Writes the row of a locked account, as whoever erases it does, and answers the data key for what is added: one that has
 * none gets one, where what is written is encrypted.
 */
export const beginAddition = async (db: Db, account: LockedAccount): Promise<DataKey | undefined> => {
  const dataKey = (await accountDataKey(db, account)) ?? (await db.dataKeys.make())
  await db.change(addText, [dataKey?.column ?? null, ...importKeyValues(account.key)])
  if (dataKey !== undefined) dataKeyColumns.set(account, dataKey.column)
  return dataKey
}

/** `lock`: in a transaction, which keeps the locks until it ends. */
export const sqlAccounts = ({ inQuery, inTransaction }: Session): LockableAccounts =>
  sqlPort<LockableAccounts>('accounts', {
    lock: inTransaction(lock),
    // Creates the accounts whole: the rows of all of them together, for each table.
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
    // Two statements, whatever is in the page.
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
