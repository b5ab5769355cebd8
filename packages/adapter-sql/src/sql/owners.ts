import type { Db } from './session.js'

/** A supplier of an organisation; empty for rows that concern no supplier. */
export type Owner = Readonly<{ organisation: string; import_supplier: string }>

/**
 * The owners in a table whose key begins with them, each with these columns of its first row in the order of the key. Each statement
 * finds the next owner by the one before it, without reading the rows of that one.
 */
export const ownersIn = async <R extends Owner>(
  db: Db,
  table: string,
  columns: readonly string[] = [],
  order: readonly string[] = [],
): Promise<readonly R[]> => {
  const owners: R[] = []
  const selected = ['organisation', 'import_supplier', ...columns].join(', ')
  for (;;) {
    const last = owners.at(-1)
    const [next] = await db.page<R>(
      `SELECT ${selected} FROM ${table} WHERE organisation >= ?`,
      [last?.organisation ?? ''],
      {
        order: ['organisation', 'import_supplier', ...order],
        after: last && [last.organisation, last.import_supplier],
        limit: 1,
      },
    )
    if (next === undefined) return owners
    owners.push(next)
  }
}
