import type { AccountReferences, DocumentReferences, ReferencesRequest } from '@account-import/core'
import { payloadDocumentPaths } from '@account-import/core/adapter-kit'
import { type DataKey, DecryptionError } from '../sql/crypto.js'
import { sqlPort } from '../sql/failures.js'
import { grouped, keyColumns, ofSupplier, StoredJsonError, tables } from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { contentIn, type ItemRow } from './added-items.js'
import { type PayloadColumns, payloadOf } from './import-rows.js'

/** An import whose data may name documents. `payload` is NULL after it was removed. */
type Referring = Readonly<{
  external_account_number: string
  platform_account_number: string | null
  additions: number
  payload: PayloadColumns['payload'] | null
  data_key: string | null
}>

/** The paths in the payload of an import. Staging has validated the payload, so any JSON is accepted. */
const pathsInPayload = async (
  { dataKeys }: Db,
  { organisation, importSupplier }: ReferencesRequest,
  { external_account_number: externalAccountNumber, payload, data_key }: Referring,
): Promise<readonly string[]> => {
  if (payload === null) return []
  const key = { organisation, importSupplier, externalAccountNumber }
  const text = await payloadOf(dataKeys, key, { payload, data_key })
  try {
    return payloadDocumentPaths(text)
  } catch (cause) {
    throw cause instanceof SyntaxError ? new StoredJsonError('account_imports.payload') : cause
  }
}

type NamingRow = ItemRow & Readonly<{ kind: 'note' | 'statement'; data_key: string | null }>

/** Few enough that their contents fit into memory. */
const itemsAtOnce = 256

type Place = Readonly<{ external_account_number: string; kind: string; ordinal: number }>

/** The data key of the account of an item. PostgreSQL might read all imports for a join. */
const dataKeyText = `SELECT a.data_key FROM ${tables.accountImports} AS a WHERE ${keyColumns.map((column) => `a.${column} = t.${column}`).join(' AND ')}`

/**
 * The next notes and statements that were added to accounts, with the data keys of the accounts; none of an account that was
 * removed meanwhile.
 */
const namingItems = (
  db: Db,
  { organisation, importSupplier }: ReferencesRequest,
  { external_account_number: number, kind, ordinal }: Place,
  last: string,
): Promise<readonly NamingRow[]> =>
  db.select<NamingRow>(
    `SELECT ${keyColumns.map((column) => `t.${column}`).join(', ')}, t.kind, t.ordinal, t.content, (${dataKeyText}) AS data_key ` +
      `FROM ${db.dialect.inOrderOf(`${tables.accountItems} AS t`, 'PRIMARY')} ` +
      "WHERE t.organisation = ? AND t.import_supplier = ? AND t.kind IN ('note', 'statement') " +
      'AND t.external_account_number BETWEEN ? AND ? AND (t.external_account_number > ? ' +
      'OR (t.external_account_number = ? AND (t.kind > ? OR (t.kind = ? AND t.ordinal > ?)))) ' +
      `ORDER BY t.external_account_number, t.kind, t.ordinal LIMIT ${itemsAtOnce}`,
    [organisation, importSupplier, number, last, number, number, kind, kind, ordinal],
  )

/** An account that was erased meanwhile has no data key, and its item names no document. */
const pathsInItem = (dataKey: DataKey | undefined, row: NamingRow): readonly (string | undefined)[] => {
  try {
    return row.kind === 'note'
      ? contentIn(dataKey, { ...row, kind: row.kind }).document_paths.map((each) => each.document_path)
      : [contentIn(dataKey, { ...row, kind: row.kind }).statement_path]
  } catch (cause) {
    if (row.data_key === null && cause instanceof DecryptionError) return []
    throw cause
  }
}

type Named = Readonly<{ row: Referring; paths: Set<string> }>

/** Adds the documents of added notes and statements to accounts, which are in the order of their numbers. */
const addItemPaths = async (db: Db, request: ReferencesRequest, named: readonly Named[]): Promise<void> => {
  const paths = new Map(named.map((each) => [each.row.external_account_number, each.paths]))
  const [first, last] = [named[0]?.row.external_account_number, named.at(-1)?.row.external_account_number]
  if (first === undefined || last === undefined) return
  let place: Place = { external_account_number: first, kind: '', ordinal: -1 }
  for (;;) {
    const rows = await namingItems(db, request, place, last)
    for (const [number, items] of grouped(rows, (row) => row.external_account_number)) {
      const dataKey = await db.dataKeys.of(items[0].data_key)
      for (const path of items.flatMap((row) => pathsInItem(dataKey, row)))
        if (path !== undefined) paths.get(number)?.add(path)
    }
    if (rows.length < itemsAtOnce) return
    place = rows.at(-1) ?? place
  }
}

/**
 * Sends two statements for as many accounts as a page of payloads holds, and one for every 256 notes and statements that were added
 * to them.
 */
const page = async (db: Db, request: ReferencesRequest): Promise<readonly AccountReferences[]> => {
  const table = db.dialect.inOrderOf(tables.accountImports, 'PRIMARY')
  const found: AccountReferences[] = []
  for (;;) {
    const after = found.at(-1)?.externalAccountNumber ?? request.after
    const { items: rows, isLast } = await db.storedPage<Referring>(
      {
        columns: 'external_account_number, platform_account_number, additions, data_key, payload',
        from: `FROM ${table} WHERE ${ofSupplier} AND staged_version > 0`,
        bytes: db.dialect.bytesOf('payload'),
      },
      [request.organisation, request.importSupplier],
      { after, limit: request.limit - found.length },
    )
    const named: Named[] = []
    for (const row of rows) named.push({ row, paths: new Set(await pathsInPayload(db, request, row)) })
    await addItemPaths(
      db,
      request,
      named.filter(({ row }) => row.additions > 0),
    )
    for (const { row, paths } of named)
      found.push({
        externalAccountNumber: row.external_account_number,
        platformAccountNumber: row.platform_account_number ?? undefined,
        paths: [...paths],
      })
    if (isLast || found.length === request.limit) return found
  }
}

export const sqlDocumentReferences = ({ inQuery }: Session): DocumentReferences =>
  sqlPort<DocumentReferences>('documentReferences', {
    page: inQuery(page),
  })
