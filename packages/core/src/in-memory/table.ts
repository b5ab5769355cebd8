/** Rows by key: what the stores of this folder keep their data in. */
export interface Table<Row> {
  get(key: string): Row | undefined
  set(key: string, row: Row): void
  delete(key: string): void
  rows(): Iterable<Row>
}

/** A table that keeps its rows. `onNew` is called with each row whose key the table did not have. */
export const createTable = <Row>(onNew: (row: Row) => void = () => undefined): Table<Row> => {
  const rows = new Map<string, Row>()
  return {
    get: (key) => rows.get(key),
    set: (key, row) => {
      if (!rows.has(key)) onNew(row)
      rows.set(key, row)
    },
    delete: (key) => void rows.delete(key),
    rows: () => rows.values(),
  }
}

/** A table over another one, which gets the changes only when they are committed. */
export type Overlay<Row> = Table<Row> & Readonly<{ commit(): void }>

export const createOverlay = <Row>(beneath: Table<Row>): Overlay<Row> => {
  const changes = new Map<string, Row | undefined>()
  const merged = function* (): Generator<Row> {
    const replaced = new Set<Row | undefined>()
    for (const [key, row] of changes) {
      replaced.add(beneath.get(key))
      if (row !== undefined) yield row
    }
    for (const row of beneath.rows()) if (!replaced.has(row)) yield row
  }
  return {
    get: (key) => (changes.has(key) ? changes.get(key) : beneath.get(key)),
    set: (key, row) => void changes.set(key, row),
    delete: (key) => void changes.set(key, undefined),
    rows: merged,
    commit: () => {
      for (const [key, row] of changes) {
        if (row === undefined) beneath.delete(key)
        else beneath.set(key, row)
      }
    },
  }
}
