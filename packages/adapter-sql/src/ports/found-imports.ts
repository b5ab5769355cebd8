import type { AccountImport, AccountKey, FoundSupplier } from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import { readsInBatches } from '../sql/batches.js'
import { filledUp, grouped, hasOneOfKeys, importKeyOf, placeholders, tables } from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { accountImportOf, byImport, importColumns, type ReadImportRow } from './import-rows.js'

type Finder = (key: AccountKey) => AccountImport | undefined

const finderIn = (rows: readonly ReadImportRow[]): Finder => {
  const found = new Map(rows.map((row) => [accountKeyText(importKeyOf(row)), accountImportOf(row)]))
  return (key) => found.get(accountKeyText(key))
}

const findAll = async (db: Db, keys: readonly AccountKey[]): Promise<Finder> => {
  const { sql, bindings } = hasOneOfKeys(keys)
  const text = `SELECT ${importColumns} FROM ${tables.accountImports} WHERE (${sql}) AND state <> 'none'`
  return finderIn(await db.select<ReadImportRow>(text, bindings))
}

/** An import, and its supplier as it was read before. */
type OfSupplier = Readonly<{ key: AccountKey; supplier: Pick<FoundSupplier, 'status' | 'revision'> }>

const supplierName = ({ key, supplier: { status, revision } }: OfSupplier): string =>
  JSON.stringify([byImport.group({ key }), status, revision])

/** A row for each import, or one without an import; none if the supplier is not as it was. */
const ofCurrentText = (count: number): string =>
  `SELECT ${importColumns} FROM (SELECT 1 AS is_current FROM ${tables.importSuppliers} s ` +
  'WHERE s.organisation = ? AND s.code = ? AND s.status = ? AND s.revision = ?) c ' +
  `LEFT JOIN ${tables.accountImports} ON organisation = ? AND import_supplier = ? ` +
  `AND external_account_number IN (${placeholders(count)}) AND state <> 'none'`

/** The finder for the imports of one supplier; undefined if that is not current. */
const findOfOne = async (
  db: Db,
  [first, ...others]: readonly [OfSupplier, ...OfSupplier[]],
): Promise<Finder | undefined> => {
  const { organisation, importSupplier } = first.key
  const numbers = filledUp([first, ...others].map(({ key }) => key.externalAccountNumber))
  const { status, revision } = first.supplier
  const rows = await db.select<ReadImportRow | Readonly<{ organisation: null }>>(
    ofCurrentText(numbers.length),
    [organisation, importSupplier, status, revision, organisation, importSupplier, ...numbers],
  )
  return rows.length === 0
    ? undefined
    : finderIn(rows.filter((row): row is ReadImportRow => row.organisation !== null))
}

/** Finds imports for all callers of the same moment: alone, or only if their supplier is as it was read. */
export const sqlFoundImports = (session: Session) => {
  const { query } = session
  const findOfCurrent = readsInBatches(
    session,
    ({ key }: OfSupplier) => key.organisation,
    (one) => JSON.stringify([supplierName(one), one.key.externalAccountNumber]),
    (asked) =>
      query(async (db) => {
        const finders = new Map<string, Finder | undefined>()
        for (const [name, some] of grouped(asked, supplierName)) finders.set(name, await findOfOne(db, some))
        return asked.map((one) => {
          const find = finders.get(supplierName(one))
          return find && { found: find(one.key) }
        })
      }),
  )
  return {
    find: readsInBatches(
      session,
      ({ organisation }: AccountKey) => organisation,
      accountKeyText,
      (keys) =>
        query(async (db) => {
          const find = await findAll(db, keys)
          return keys.map(find)
        }),
    ),
    findOfCurrent: (key: AccountKey, supplier: OfSupplier['supplier']) => findOfCurrent({ key, supplier }),
  }
}
