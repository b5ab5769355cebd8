import type { Account, AccountKey, Accounts, LockableAccounts, LockedAccount } from '@account-import/core'
import { type AccountDocument, detailsOf, partsOf } from '@account-import/core/adapter-kit'
import type { Statements } from '../drivers/statements.js'
import {
  type DataKey,
  type DataKeys,
  DecryptionError,
  keptText,
  type OwnerRow,
  readEither,
} from '../sql/crypto.js'
import { sqlPortCall } from '../sql/failures.js'
import {
  anyObject,
  fromSqlInstant,
  importKeyOf,
  type ImportKeyRow,
  importKeyRow,
  type NewRow,
  parsedJson,
  type Row,
  StoredJsonError,
  tables,
  toSqlInstant,
} from '../sql/rows.js'
import type { Session } from '../sql/session.js'
import { importKeyValues, insertRows, ofImport, selectRows, updateRows } from '../sql/sql.js'
import { createdItemRows, type ItemRow, itemsIn } from './item-rows.js'

export type AccountRow = ImportKeyRow &
  Readonly<{
    platform_account_number: string
    operations_team: string
    staged_version: number
    created_at: string
    erased_at: string | null
    /** Written by every addition, and read by nobody: on a cluster one of two that write it at the same time commits. */
    additions: number
    /** What is encrypted of the account is encrypted by it; NULL where nothing is. */
    data_key: string | null
    /** `AccountDocument` as JSON text, plain or encrypted. */
    details: string
  }>

const ownerOf = (key: ImportKeyRow): OwnerRow => [
  tables.accounts,
  key.organisation,
  key.import_supplier,
  key.external_account_number,
]

/** How the row of an account keeps its document. */
export const keptDocument = (
  dataKey: DataKey | undefined,
  key: ImportKeyRow,
  document: AccountDocument,
): string => keptText(dataKey, ownerOf(key), JSON.stringify(document))

const accountRow = (
  account: Omit<Account, 'details'>,
  document: AccountDocument,
  dataKey: DataKey | undefined,
): NewRow<AccountRow> => {
  const key = importKeyRow(account.key)
  return {
    ...key,
    platform_account_number: account.platformAccountNumber,
    operations_team: account.operationsTeam,
    staged_version: account.stagedVersion,
    created_at: toSqlInstant(account.createdAt),
    erased_at: null,
    additions: 0,
    data_key: dataKey?.column,
    details: keptDocument(dataKey, key, document),
  }
}

const column = `${tables.accounts}.details`

/** The JSON text of the document. Throws a `DecryptionError`. */
export const documentText = (
  dataKey: DataKey | undefined,
  row: ImportKeyRow & Pick<AccountRow, 'details'>,
): string => readEither(dataKey, ownerOf(row), row.details)

/** The document of an account. Throws a `DecryptionError` or a `StoredJsonError`. */
export const documentIn = (
  dataKey: DataKey | undefined,
  row: ImportKeyRow & Pick<AccountRow, 'details'>,
): AccountDocument => {
  const document = parsedJson(column, documentText(dataKey, row))
  if (!anyObject(document)) throw new StoredJsonError(column)
  return document as AccountDocument
}

type Rows = Readonly<{ account: Row; items: readonly Row[] }>

const rowsOf = async (dataKeys: DataKeys, account: Account): Promise<Rows> => {
  const { document, items } = partsOf(account.details)
  const dataKey = await dataKeys.make()
  return {
    account: accountRow(account, document, dataKey),
    items: createdItemRows(importKeyRow(account.key), items, dataKey),
  }
}

/** Creates the accounts whole: the rows of all of them together, for each table. */
const create = (session: Session, accounts: readonly Account[]): Promise<void> =>
  session.transaction(async (db) => {
    const rows = await Promise.all(accounts.map((account) => rowsOf(session.dataKeys, account)))
    const { dialect } = session
    await insertRows(
      db,
      dialect,
      tables.accounts,
      rows.map(({ account }) => account),
    )
    await insertRows(
      db,
      dialect,
      tables.accountItems,
      rows.flatMap(({ items }) => items),
    )
  })

const accountText = `SELECT * FROM ${tables.accounts} WHERE ${ofImport}`
const itemsText =
  `SELECT organisation, import_supplier, external_account_number, kind, ordinal, content ` +
  `FROM ${tables.accountItems} WHERE ${ofImport} ORDER BY kind, ordinal`

/** The account as it is stored. `end` ends both statements: a lock, or nothing. Throws a `KeyRingError` or a `DecryptionError`. */
export const readAccount = async (
  db: Statements,
  dataKeys: DataKeys,
  key: AccountKey,
  end = '',
): Promise<Account | undefined> => {
  const [row] = await selectRows<AccountRow>(db, `${accountText} ${end}`, importKeyValues(key))
  if (row === undefined) return undefined
  const items = await selectRows<ItemRow>(db, `${itemsText} ${end}`, importKeyValues(key))
  const dataKey = await dataKeys.of(row.data_key)
  return {
    key: importKeyOf(row),
    platformAccountNumber: row.platform_account_number,
    operationsTeam: row.operations_team,
    stagedVersion: row.staged_version,
    createdAt: fromSqlInstant(row.created_at),
    details: detailsOf(documentIn(dataKey, row), itemsIn(dataKey, items)),
  }
}

/** The same, also while somebody erases the account, or encrypts something of it for the first time. */
export const findAccount = async (
  db: Statements,
  dataKeys: DataKeys,
  key: AccountKey,
): Promise<Account | undefined> => {
  try {
    return await readAccount(db, dataKeys, key)
  } catch (cause) {
    if (!(cause instanceof DecryptionError)) throw cause
    // The data key came after the account was read and before its items were.
    return readAccount(db, dataKeys, key)
  }
}

/** The data keys of locked accounts as their rows hold them: nothing is read again to know one. */
const dataKeyColumns = new WeakMap<LockedAccount, string | null>()

const lockText = `SELECT platform_account_number, data_key FROM ${tables.accounts} WHERE ${ofImport} AND erased_at IS NULL`

/** Locks the row of the account, unless that was erased. */
const lock = async (
  db: Statements,
  { dialect }: Session,
  key: AccountKey,
): Promise<LockedAccount | undefined> => {
  const text = `${lockText} ${dialect.forUpdate}`
  const [row] = await selectRows<AccountRow>(db, text, importKeyValues(key))
  if (row === undefined) return undefined
  const account = { key, platformAccountNumber: row.platform_account_number } as LockedAccount
  dataKeyColumns.set(account, row.data_key)
  return account
}

/** The data key of a locked account; undefined where it has none. */
export const accountDataKey = (dataKeys: DataKeys, account: LockedAccount): Promise<DataKey | undefined> =>
  dataKeys.of(dataKeyColumns.get(account) ?? null)

const addText =
  `UPDATE ${tables.accounts} SET additions = additions + 1, data_key = COALESCE(data_key, ?) ` +
  `WHERE ${ofImport}`

/**
 * Writes the row of a locked account, as whoever erases it does, and answers the data key for what is added: one that has
 * none gets one, where what is written is encrypted.
 */
export const beginAddition = async (
  db: Statements,
  dataKeys: DataKeys,
  account: LockedAccount,
): Promise<DataKey | undefined> => {
  const known = await accountDataKey(dataKeys, account)
  const dataKey = known ?? (await dataKeys.make())
  await updateRows(db, addText, [dataKey?.column ?? null, ...importKeyValues(account.key)])
  if (dataKey !== undefined) dataKeyColumns.set(account, dataKey.column)
  return dataKey
}

const call = sqlPortCall('accounts')

export const sqlAccounts = (session: Session): Accounts => ({
  create: (accounts) => call('create', () => create(session, accounts)),
  find: (key) => call('find', () => session.query((db) => findAccount(db, session.dataKeys, key))),
})

/** In a transaction, which keeps the locks until it ends. */
export const sqlLockableAccounts = (session: Session): LockableAccounts => ({
  ...sqlAccounts(session),
  lock: (key) => call('lock', () => session.transaction((db) => lock(db, session, key))),
})
