/** What a column takes; undefined is stored as NULL. */
export type SqlValue = string | number | null | undefined

/** A boolean as a column holds it. */
export type SqlBoolean = 0 | 1

export const sqlBoolean = (value: boolean): SqlBoolean => (value ? 1 : 0)

/** A row to be inserted: a value for every column of the row type, so that none can be forgotten. */
export type NewRow<R> = {
  readonly [Column in keyof R]: null extends R[Column] ? R[Column] | undefined : R[Column]
}

/** A row to be inserted into whatever table, by column. */
export type Row = Readonly<Record<string, SqlValue>>
