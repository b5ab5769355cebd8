/** A column that holds a list or object nobody searches, as JSON text. */
export const toJson = (value: unknown): string => JSON.stringify(value)

/** What `toJson` was given; the type is the caller's word, as the column is written in one place. */
export const fromJson = <A>(text: string): A => JSON.parse(text) as A

/** The same for a value that may be absent. */
export const toOptionalJson = (value: unknown): string | null =>
  value === undefined ? null : JSON.stringify(value)

export const fromOptionalJson = <A>(text: string | null): A | null =>
  text === null ? null : (JSON.parse(text) as A)
