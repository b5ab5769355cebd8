import type { Break, BreakKind } from './break-kinds.js'

/** What was found about the rows of one account, gathered by kind and table. */
export type RowFindings = Readonly<{
  add(kind: BreakKind, table: string, columns?: readonly string[], rows?: number): void
  /** One for each kind and table. */
  all(): readonly Omit<Break, 'organisation' | 'importSupplier'>[]
}>

export const rowFindings = (): RowFindings => {
  const found = new Map<string, { kind: BreakKind; table: string; columns: Set<string>; rows: number }>()
  return {
    add: (kind, table, columns = [], rows = 1) => {
      const name = `${kind} ${table}`
      const known = found.get(name) ?? { kind, table, columns: new Set(), rows: 0 }
      for (const column of columns) known.columns.add(column)
      known.rows += rows
      found.set(name, known)
    },
    all: () =>
      [...found.values()].map(({ kind, table, columns, rows }) => ({
        kind,
        table,
        rows,
        ...(columns.size > 0 && { columns: [...columns] }),
      })),
  }
}
