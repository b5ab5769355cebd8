import type {
  Account,
  AccountDetails,
  AccountKey,
  AccountPayload,
  LockableAccounts,
  LockedAccount,
  StoredAccount,
} from '@account-import/core'
import {
  accountFromPayload,
  erasedDetails,
  removedDetails,
  withAdded,
} from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { DecryptionError } from '../sql/crypto.js'
import { sqlPort } from '../sql/failures.js'
import {
  grouped,
  importKeyOf,
  type ImportKeyRow,
  importKeyValues,
  instant,
  jsonColumn,
  keyColumns,
  ofImport,
  ofSupplier,
  tables,
} from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { itemsIn, type ItemRow } from './added-items.js'
import { type PayloadColumns, payloadOf } from './import-rows.js'

/** An import whose account was created, with the columns that the account is read from. */
export type AccountRow = ImportKeyRow &
  Readonly<{
    platform_account_number: string
    operations_team: string
    created_version: number
    account_created_at: string
    created_format: number
    created_in_run: string | null
    /** Incremented by every addition: a cluster commits only one of two concurrent writes of a row. */
    additions: number
    /** NULL where the account was erased. */
    payload: PayloadColumns['payload'] | null
    /** `AccountDetails` as JSON text; NULL unless the account was erased. */
    remains: string | null
    /** The data key of the payload and of the added items; NULL where nothing is encrypted. */
    data_key: string | null
  }>

const names = [
  'platform_account_number',
  'operations_team',
  'created_version',
  'account_created_at',
  'created_format',
  'created_in_run',
  'additions',
  'payload',
  'remains',
  'data_key',
] as const satisfies readonly (keyof AccountRow)[]

const accountColumns = [...keyColumns, ...names].join(', ')

/** Matches imports whose accounts this store keeps: those of a platform with accounts of its own may have lost their payloads. */
const isAccount = "state = 'created' AND (payload IS NOT NULL OR remains IS NOT NULL)"

const itemColumns = [...keyColumns, 'kind', 'ordinal', 'content'].join(', ')
const accountText = `SELECT ${accountColumns} FROM ${tables.accountImports} WHERE ${ofImport} AND ${isAccount}`
const itemsText = `SELECT ${itemColumns} FROM ${tables.accountItems} WHERE ${ofImport} ORDER BY kind, ordinal`

const payloads = jsonColumn('account_imports.payload', t.UnknownRecord)
const remains = jsonColumn('account_imports.remains', t.UnknownRecord)

type DetailColumns = ImportKeyRow &
  Pick<AccountRow, 'account_created_at' | 'created_format' | 'payload' | 'remains' | 'data_key'>

/**
 * The details of an account without its additions: those that it was created with, or the rest after erasure. Throws a
 * `KeyRingError`, a `DecryptionError` or a `StoredJsonError`.
 */
export const ownDetails = async (
  { dataKeys }: Pick<Db, 'dataKeys'>,
  row: DetailColumns,
): Promise<AccountDetails> => {
  const { payload, data_key } = row
  if (payload === null) return remains.read(row.remains) as unknown as AccountDetails
  const sent = payloads.read(await payloadOf(dataKeys, importKeyOf(row), { payload, data_key }))
  const createdAt = instant.read(row.account_created_at)
  return accountFromPayload(sent as unknown as AccountPayload, createdAt, row.created_format)
}

/** The account of a row and of its items, which are in the order of their ordinals. Throws as `ownDetails` does. */
const accountOf = async (db: Db, row: AccountRow, items: readonly ItemRow[]): Promise<Account> => ({
  key: importKeyOf(row),
  platformAccountNumber: row.platform_account_number,
  operationsTeam: row.operations_team,
  stagedVersion: row.created_version,
  createdAt: instant.read(row.account_created_at),
  ...(row.created_in_run !== null && { importRun: row.created_in_run }),
  details: withAdded(await ownDetails(db, row), itemsIn(await db.dataKeys.of(row.data_key), items)),
})

const hasItems = ({ additions, payload }: AccountRow): boolean => additions > 0 && payload !== null

/** `end` ends both statements: a lock, or nothing. */
const readRows = async (
  db: Db,
  key: AccountKey,
  end = '',
): Promise<Readonly<{ row: AccountRow; items: readonly ItemRow[] }> | undefined> => {
  const [row] = await db.select<AccountRow>(`${accountText} ${end}`, importKeyValues(key))
  if (row === undefined) return undefined
  const items = hasItems(row) ? await db.select<ItemRow>(`${itemsText} ${end}`, importKeyValues(key)) : []
  return { row, items }
}

/**
 * The account of rows that were read one after the other. Reads them again if another transaction erased the account in between,
 * or gave it its data key.
 */
const settled = async (db: Db, row: AccountRow, items: readonly ItemRow[]): Promise<Account | undefined> => {
  try {
    if (items.length > 0 || !hasItems(row)) return await accountOf(db, row, items)
  } catch (cause) {
    if (!(cause instanceof DecryptionError)) throw cause
  }
  const again = await readRows(db, importKeyOf(row))
  return again && accountOf(db, again.row, again.items)
}

/** The account as it is stored. Throws as `ownDetails` does. */
export const findAccount = async (db: Db, key: AccountKey): Promise<Account | undefined> => {
  const found = await readRows(db, key)
  return found && settled(db, found.row, found.items)
}

/**
 * Removes the items of an account, and returns what remains of it, as the text of its column, and how much is removed; undefined
 * where there is no account. Locks the row as an addition does. Throws as `ownDetails` does for an unreadable account, because its
 * erased form is unknown.
 */
export const eraseAccount = async (
  db: Db,
  key: AccountKey,
): Promise<
  Readonly<{ remains: string; removed: Readonly<{ rows: number; transactions: number }> }> | undefined
> => {
  const found = await readRows(db, key, db.dialect.forUpdate)
  if (found === undefined) return undefined
  const { details } = await accountOf(db, found.row, found.items)
  await db.change(`DELETE FROM ${tables.accountItems} WHERE ${ofImport}`, importKeyValues(key))
  return { remains: JSON.stringify(erasedDetails(details)), removed: removedDetails(details) }
}

/** The row of a locked account. Its payload does not change under the lock; an addition may give it its data key. */
type Held = { row: AccountRow; details?: Promise<AccountDetails> }

const held = new WeakMap<LockedAccount, Held>()

/** The row that `lock` read. */
export const heldRow = (account: LockedAccount): Held => {
  const found = held.get(account)
  if (found === undefined) throw new Error('the account is not locked')
  return found
}

/** The details that a locked account was created with, read from its payload once. Throws as `ownDetails` does. */
export const heldDetails = (db: Db, account: LockedAccount): Promise<AccountDetails> => {
  const found = heldRow(account)
  found.details ??= ownDetails(db, found.row)
  return found.details
}

/** Locks the import of the account, unless the account is erased. */
const lock = async (db: Db, key: AccountKey): Promise<LockedAccount | undefined> => {
  const text = `${accountText} AND payload IS NOT NULL ${db.dialect.forUpdate}`
  const [row] = await db.select<AccountRow>(text, importKeyValues(key))
  if (row === undefined) return undefined
  const account = { key, platformAccountNumber: row.platform_account_number } as LockedAccount
  held.set(account, { row })
  return account
}

/** The items of the accounts of a page that have any, in one statement. */
const itemsOfPage = async (db: Db, rows: readonly AccountRow[]): Promise<readonly ItemRow[]> => {
  const changed = rows.filter(hasItems)
  const [first, last] = [changed[0], changed.at(-1)]
  if (first === undefined || last === undefined) return []
  return db.select<ItemRow>(
    `SELECT ${itemColumns} FROM ${db.dialect.inOrderOf(tables.accountItems, 'PRIMARY')} WHERE ${ofSupplier} ` +
      'AND external_account_number BETWEEN ? AND ? ORDER BY external_account_number, kind, ordinal',
    [...importKeyValues(importKeyOf(first)), last.external_account_number],
  )
}

/** Joins a table of rows that belong to accounts (`i`) with imports (`t`). */
export const ofSameAccount = keyColumns.map((column) => `i.${column} = t.${column}`).join(' AND ')

/** The length of the items of an account in the table `t`, which most accounts have none of. */
export const itemBytes = ({ dialect }: Db): string =>
  `CASE WHEN additions = 0 THEN 0 ELSE (SELECT COALESCE(SUM(${dialect.bytesOf('content')}), 0) ` +
  `FROM ${tables.accountItems} i WHERE ${ofSameAccount}) END`

/** `lock` needs a transaction, which keeps the lock until it ends. */
export const sqlAccounts = ({ inQuery, inTransaction }: Session): LockableAccounts =>
  sqlPort<LockableAccounts>('accounts', {
    lock: inTransaction(lock),
    find: inQuery(findAccount),
    // Sends three statements for any page.
    page: inQuery(async (db, { organisation, importSupplier, ...place }) => {
      const { dialect } = db
      const table = dialect.inOrderOf(`${tables.accountImports} AS t`, 'account_imports_pages')
      const { items: rows, isLast } = await db.storedPage<AccountRow>(
        {
          columns: accountColumns,
          from: `FROM ${table} WHERE ${ofSupplier} AND ${isAccount}`,
          bytes: `COALESCE(${dialect.bytesOf('payload')}, ${dialect.bytesOf('remains')}) + ${itemBytes(db)}`,
        },
        [organisation, importSupplier],
        place,
      )
      const itemsOf = grouped(await itemsOfPage(db, rows), (item) => item.external_account_number)
      const items: StoredAccount[] = []
      // One after the other, so that few parsed accounts are in memory at once.
      for (const row of rows) {
        const account = await settled(db, row, itemsOf.get(row.external_account_number) ?? [])
        if (account !== undefined) items.push({ account, additions: row.additions })
      }
      return { items, isLast }
    }),
  })
