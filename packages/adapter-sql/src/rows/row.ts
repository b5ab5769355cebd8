/** What a column takes. */
export type SqlValue = string | number | boolean | null | undefined

/** A row to be inserted, by column; what is undefined is stored as NULL. */
export type Row = Readonly<Record<string, SqlValue>>

/** A boolean as the drivers give it. */
export type SqlBoolean = number | boolean
