import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { selectRows } from '../statements/select-rows.js'
import type { SupplierKey } from './look.js'
import { partTables } from '../rows/part-tables.js'

/** What to look at: all, or what belongs to a supplier, or to an organisation. */
export type VerifyScope = Readonly<{ organisation?: string; importSupplier?: string }>

const supplierTables = [
  tables.accountImports,
  tables.accounts,
  tables.customerEmails,
  ...partTables.map(({ table }) => table),
]

const nextText = (table: string, condition: string): string =>
  `SELECT organisation, import_supplier FROM ${table} WHERE ${condition} ORDER BY organisation, import_supplier LIMIT 1`

/** The next supplier that has rows in the table: its others are jumped over by the key. */
const nextIn = async (
  db: Statements,
  table: string,
  last: SupplierKey | undefined,
): Promise<SupplierKey | undefined> => {
  if (last === undefined) return (await selectRows<SupplierKey>(db, nextText(table, '1 = 1'), []))[0]
  const { organisation, import_supplier } = last
  const same = 'organisation = ? AND import_supplier > ?'
  const [next] = await selectRows<SupplierKey>(db, nextText(table, same), [organisation, import_supplier])
  return next ?? (await selectRows<SupplierKey>(db, nextText(table, 'organisation > ?'), [organisation]))[0]
}

/** Every supplier that is registered or has rows in any table, so that no row is passed over. In order. */
export const suppliersIn = async (
  db: Statements,
  { organisation, importSupplier }: VerifyScope,
): Promise<readonly SupplierKey[]> => {
  const found = new Map<string, SupplierKey>()
  const add = (key: SupplierKey): unknown =>
    found.set(JSON.stringify([key.organisation, key.import_supplier]), key)
  const registered = `SELECT organisation, code AS import_supplier FROM ${tables.importSuppliers}`
  for (const key of await selectRows<SupplierKey>(db, registered, [])) add(key)
  for (const table of supplierTables)
    for (let key = await nextIn(db, table, undefined); key !== undefined; key = await nextIn(db, table, key))
      add(key)
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, key]) => key)
    .filter(
      (key) =>
        (organisation === undefined || key.organisation === organisation) &&
        (importSupplier === undefined || key.import_supplier === importSupplier),
    )
}
