import { itemBytes } from '../ports/accounts.js'
import type { ItemRow } from '../ports/added-items.js'
import type { Owner } from '../sql/owners.js'
import { filledUp, grouped, keyColumns, ofSupplier, placeholders, tables } from '../sql/rows.js'
import type { Db, PoolSession } from '../sql/session.js'
import { sentPayload, wrongAdditions } from './account-content.js'
import type { Finding, Walk } from './breaks.js'
import { contradictions, isCreated, type VerifiedImport } from './import-rules.js'

/** Most imports of a page; the sizes of payloads and additions end it earlier. */
const mostImports = 512

/**
 * Whether the name that a column of an import has is registered. In place of EXISTS, for which PostgreSQL may read the whole table in
 * every page.
 */
const isRegistered = (column: string, table: string, condition: string): string =>
  `CASE WHEN ${column} IS NULL THEN 1 ELSE (SELECT 1 FROM ${table} AS r WHERE ${condition}) END AS has_${column}`

const isRun = (column: string): string =>
  isRegistered(
    column,
    tables.importRuns,
    `r.id = t.${column} AND r.organisation = t.organisation AND r.import_supplier = t.import_supplier`,
  )

const references = ['operations_team', 'import_run', 'created_in_run'] as const

type Row = VerifiedImport & Readonly<Record<`has_${(typeof references)[number]}`, 1 | null>>

const columns = [
  ...keyColumns,
  'state, skipped, staged_version, first_staged_at, staged_at, validated_under, payload, payload_hash, data_key',
  'platform_account_number, account_created_at, created_version, created_format, operations_team, created_in_run',
  'additions, remains, payload_removed_at, erased_at, claim_token, claim_expires_at, latest_failure_code, latest_failure_at',
  isRegistered('operations_team', tables.operationsTeams, 'r.name = t.operations_team'),
  isRun('import_run'),
  isRun('created_in_run'),
].join(', ')

type Page = Readonly<{ rows: readonly Row[]; items: readonly ItemRow[]; isLast: boolean }>

/** The next imports of a supplier in the order of their numbers, and the additions to their accounts. */
const pageAfter = async (
  db: Db,
  { organisation, import_supplier }: Owner,
  after: string | undefined,
): Promise<Page> => {
  const { dialect } = db
  const table = dialect.inOrderOf(`${tables.accountImports} AS t`, 'PRIMARY')
  const bytes = `COALESCE(${dialect.bytesOf('payload')}, 0) + ${itemBytes(db)}`
  const owner = [organisation, import_supplier]
  const { items: rows, isLast } = await db.storedPage<Row>(
    { columns, from: `FROM ${table} WHERE ${ofSupplier}`, bytes },
    owner,
    { after, limit: mostImports },
  )
  if (rows.length === 0) return { rows, items: [], isLast }
  const numbers = filledUp(rows.map((row) => row.external_account_number))
  const items = await db.select<ItemRow>(
    `SELECT * FROM ${dialect.inOrderOf(tables.accountItems, 'PRIMARY')} WHERE ${ofSupplier} AND ` +
      `external_account_number IN (${placeholders(numbers.length)}) ORDER BY external_account_number, kind, ordinal`,
    [...owner, ...numbers],
  )
  return { rows, items, isLast }
}

/** Whether the number of additions fits the items: one addition may have several. An erased account has none. */
const isCounted = ({ additions, payload }: Row, items: number): boolean =>
  payload === null ? items === 0 : additions <= items && (additions > 0 || items === 0)

/** The breaks of an import, and of the additions to its account. */
async function* breaksOf(
  { dataKeys }: PoolSession,
  row: Row,
  items: readonly ItemRow[],
): AsyncGenerator<Pick<Finding, 'kind' | 'table' | 'columns'>> {
  const table = tables.accountImports
  const contradictory = contradictions(row)
  if (contradictory.length > 0) yield { kind: 'columns_contradict', table, columns: contradictory }
  const missing = references.filter((column) => row[`has_${column}`] === null)
  if (missing.length > 0) yield { kind: 'reference_missing', table, columns: missing }
  const payload = await sentPayload(dataKeys, row)
  if (payload === undefined && row.payload !== null)
    yield { kind: 'payload_differs', table, columns: ['payload'] }
  // Additions without an account are found with all rows that lack theirs.
  if (contradictory.length > 0 || !isCreated(row)) return
  if (!isCounted(row, items.length)) yield { kind: 'count_differs', table, columns: ['additions'] }
  if (payload === undefined) return
  const kinds = await wrongAdditions(dataKeys, row, payload, items)
  if (kinds.length > 0) yield { kind: 'addition_differs', table: tables.accountItems, columns: kinds }
}

/** Checks the imports of a supplier. Each page is read in one snapshot, so that servers may write beside it. */
export async function* importBreaks({ session, owner, onVerified }: Walk): AsyncGenerator<Finding> {
  let last: Row | undefined
  for (let isLast = false; !isLast;) {
    const page = await session.snapshot((db) => pageAfter(db, owner, last?.external_account_number))
    onVerified('imports', page.rows.length)
    onVerified('accounts', page.rows.filter(isCreated).length)
    onVerified('rows', page.items.length)
    const itemsOf = grouped(page.items, (item) => item.external_account_number)
    for (const row of page.rows) {
      const { external_account_number: externalAccountNumber, platform_account_number: number } = row
      const about = { externalAccountNumber, platformAccountNumber: number ?? undefined }
      for await (const found of breaksOf(session, row, itemsOf.get(externalAccountNumber) ?? []))
        yield { ...found, ...about }
    }
    last = page.rows.at(-1)
    isLast = page.isLast
  }
}
