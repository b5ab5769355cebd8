import type { AccountReferences, DocumentReferences, ReferencesRequest } from '@account-import/core'
import { payloadDocumentPaths } from '@account-import/core/adapter-kit'
import { type DataKey, type DataKeys, DecryptionError } from '../sql/crypto.js'
import { sqlPort } from '../sql/failures.js'
import { StoredJsonError, tables } from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { chunks, keyColumns, marks, maxStatementBytes } from '../sql/sql.js'
import { type PayloadColumns, payloadOf } from './import-rows.js'
import { contentIn, type ItemRow } from './item-rows.js'

/** An import whose data may name documents. `payload_bytes` is null for a created one. */
type Referring = Readonly<{
  external_account_number: string
  platform_account_number: string | null
  payload_bytes: number | null
}>

/** The next imports in order of their keys, with how large their payloads are, which are not read yet. */
const referringImports = (
  db: Db,
  { organisation, importSupplier, after, limit }: ReferencesRequest,
): Promise<readonly Referring[]> =>
  db.select<Referring>(
    'SELECT external_account_number, platform_account_number, ' +
      'CASE WHEN platform_account_number IS NULL THEN OCTET_LENGTH(payload) END AS payload_bytes ' +
      `FROM ${db.dialect.inOrderOf(tables.accountImports, 'PRIMARY')} ` +
      'WHERE organisation = ? AND import_supplier = ? AND staged_version > 0 ' +
      (after === undefined ? '' : 'AND external_account_number > ? ') +
      `ORDER BY external_account_number LIMIT ${Math.trunc(limit)}`,
    [organisation, importSupplier, ...(after === undefined ? [] : [after])],
  )

type Paths = ReadonlyMap<string, ReadonlySet<string>>

type PayloadRow = PayloadColumns & Readonly<{ external_account_number: string }>

/** A payload was validated when it was staged: here it only has to be JSON. */
const pathsInPayload = (payload: string): readonly string[] => {
  try {
    return payloadDocumentPaths(payload)
  } catch (cause) {
    throw cause instanceof SyntaxError ? new StoredJsonError('account_imports.payload') : cause
  }
}

/** What the payloads of staged imports name, by external account number; only a few MiB of them are held at a time. */
const stagedPaths = async (
  db: Db,
  { organisation, importSupplier }: ReferencesRequest,
  imports: readonly Referring[],
): Promise<Paths> => {
  const paths = new Map<string, ReadonlySet<string>>()
  const parts = chunks(imports, {
    maxItems: 500,
    maxBytes: maxStatementBytes,
    bytesOf: ({ payload_bytes }) => payload_bytes ?? 0,
  })
  for (const part of parts) {
    const numbers = part.map(({ external_account_number }) => external_account_number)
    const text =
      `SELECT external_account_number, payload, data_key FROM ${tables.accountImports} ` +
      `WHERE organisation = ? AND import_supplier = ? AND external_account_number IN (${marks(numbers.length)})`
    for (const row of await db.select<PayloadRow>(text, [organisation, importSupplier, ...numbers])) {
      const key = { organisation, importSupplier, externalAccountNumber: row.external_account_number }
      paths.set(row.external_account_number, new Set(pathsInPayload(await payloadOf(db.dataKeys, key, row))))
    }
  }
  return paths
}

type NamingRow = ItemRow & Readonly<{ kind: 'note' | 'statement'; data_key: string | null }>

/** Few enough that their contents fit into memory. */
const itemsAtOnce = 256

const nextItem = 't.external_account_number = ? AND (t.kind > ? OR (t.kind = ? AND t.ordinal > ?))'

/** The next notes and statements of created accounts, with the data keys of those; none of an account that is gone meanwhile. */
const namingItems = (
  db: Db,
  { organisation, importSupplier }: ReferencesRequest,
  range: readonly [first: string, last: string],
  after: NamingRow | undefined,
): Promise<readonly NamingRow[]> => {
  const [first, last] = range
  const since = after?.external_account_number ?? first
  const condition = after === undefined ? '' : `AND (t.external_account_number > ? OR (${nextItem})) `
  return db.select<NamingRow>(
    `SELECT ${keyColumns.map((column) => `t.${column}`).join(', ')}, t.kind, t.ordinal, t.content, a.data_key ` +
      `FROM ${db.dialect.inOrderOf(`${tables.accountItems} AS t`, 'PRIMARY')} LEFT JOIN ${tables.accounts} AS a ` +
      `ON ${keyColumns.map((column) => `a.${column} = t.${column}`).join(' AND ')} ` +
      "WHERE t.organisation = ? AND t.import_supplier = ? AND t.kind IN ('note', 'statement') " +
      `AND t.external_account_number BETWEEN ? AND ? ${condition}` +
      `ORDER BY t.external_account_number, t.kind, t.ordinal LIMIT ${itemsAtOnce}`,
    [
      organisation,
      importSupplier,
      since,
      last,
      ...(after === undefined ? [] : [since, since, after.kind, after.kind, after.ordinal]),
    ],
  )
}

const pathsInItem = (dataKey: DataKey | undefined, row: NamingRow): readonly string[] => {
  if (row.kind === 'note')
    return contentIn(dataKey, { ...row, kind: row.kind }).document_paths.map(
      ({ document_path }) => document_path,
    )
  const { statement_path: path } = contentIn(dataKey, { ...row, kind: row.kind })
  return path === undefined ? [] : [path]
}

/** Gives the data key of one account after the other; that of the one before is remembered. */
const lastDataKey = (dataKeys: DataKeys): ((column: string | null) => Promise<DataKey | undefined>) => {
  let last: Readonly<{ column: string | null; dataKey: Promise<DataKey | undefined> }> | undefined
  return (column) => {
    if (last?.column !== column) last = { column, dataKey: dataKeys.of(column) }
    return last.dataKey
  }
}

/** What the notes and statements of created accounts name, by external account number. */
const createdPaths = async (
  db: Db,
  request: ReferencesRequest,
  imports: readonly Referring[],
): Promise<Paths> => {
  const numbers = imports.map(({ external_account_number }) => external_account_number)
  const [first, last] = [numbers[0], numbers.at(-1)]
  const paths = new Map(numbers.map((number) => [number, new Set<string>()]))
  if (first === undefined || last === undefined) return paths
  const dataKeyOf = lastDataKey(db.dataKeys)
  let after: NamingRow | undefined
  for (;;) {
    const rows = await namingItems(db, request, [first, last], after)
    for (const row of rows) {
      // One that was erased meanwhile has no data key any more, and names nothing.
      const dataKey = await dataKeyOf(row.data_key)
      for (const path of unlessErased(() => pathsInItem(dataKey, row), row))
        paths.get(row.external_account_number)?.add(path)
    }
    if (rows.length < itemsAtOnce) return paths
    after = rows.at(-1)
  }
}

const unlessErased = (read: () => readonly string[], row: NamingRow): readonly string[] => {
  try {
    return read()
  } catch (cause) {
    if (row.data_key === null && cause instanceof DecryptionError) return []
    throw cause
  }
}

const isCreated = (row: Referring): boolean => row.platform_account_number !== null

/** A page of accounts: a statement for them, one for each few MiB of payloads, and one for every 256 notes and statements. */
const page = async (db: Db, request: ReferencesRequest): Promise<readonly AccountReferences[]> => {
  const rows = await referringImports(db, request)
  const created = await createdPaths(db, request, rows.filter(isCreated))
  const isStaged = (row: Referring): boolean => !isCreated(row)
  const staged = await stagedPaths(db, request, rows.filter(isStaged))
  return rows.map((row) => {
    const number = row.external_account_number
    return {
      externalAccountNumber: number,
      platformAccountNumber: row.platform_account_number ?? undefined,
      paths: [...((isCreated(row) ? created : staged).get(number) ?? [])],
    }
  })
}

export const sqlDocumentReferences = ({ query }: Session): DocumentReferences =>
  sqlPort<DocumentReferences>('documentReferences', {
    page: (request) => query((db) => page(db, request)),
  })
