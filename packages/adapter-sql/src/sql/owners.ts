import type { Db } from './session.js'

/** A supplier of an organisation; empty for rows that concern no supplier. */
export type Owner = Readonly<{ organisation: string; import_supplier: string }>

/**
 * The different values of the first columns of a table's key, in order; `first`: the next column of the key, and others, of the first
 * row of each. Each statement finds the next values by those before, without reading the rows of these.
 */
export const distinctIn = async <R extends Pick<Owner, 'organisation'>>(
  db: Db,
  table: string,
  columns: readonly (keyof R & string)[],
  first: readonly (keyof R & string)[] = [],
): Promise<readonly R[]> => {
  const text = `SELECT ${[...columns, ...first].join(', ')} FROM ${table} WHERE organisation >= ?`
  const order = [...columns, ...first.slice(0, 1)]
  const found: R[] = []
  for (;;) {
    const last = found.at(-1)
    const after = last && columns.map((column) => String(last[column]))
    const [next] = await db.page<R>(text, [last?.organisation ?? ''], { order, after, limit: 1 })
    if (next === undefined) return found
    found.push(next)
  }
}

/** The owners of the rows of a table whose key begins with them, in order. */
export const ownersIn = (db: Db, table: string): Promise<readonly Owner[]> =>
  distinctIn<Owner>(db, table, ['organisation', 'import_supplier'])
