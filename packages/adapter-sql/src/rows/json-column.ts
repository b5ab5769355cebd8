import type { Shape } from './shapes.js'

/** A stored text is not what its column is for. Says which column, and nothing of the text. */
export class StoredJsonError extends Error {
  override readonly name = 'StoredJsonError'
  constructor(column: string) {
    super(`${column} does not hold the JSON that it is for`)
  }
}

/** How a list or object that nobody searches is kept as JSON text in a column. */
export type JsonColumn<A> = Readonly<{
  toText(value: A): string
  /** Throws a `StoredJsonError` for a text that is no JSON, or JSON of another shape. */
  fromText(text: string): A
}>

/** The value of a stored JSON text. `column` is its name for people. Throws a `StoredJsonError` for a text that is no JSON. */
export const parsedJson = (column: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // The error of the parser quotes the text.
    throw new StoredJsonError(column)
  }
}

/** `column` is its name for people: `customers.account_roles`. */
export const jsonColumn = <A>(column: string, shape: Shape<A>): JsonColumn<A> => ({
  toText: (value) => JSON.stringify(value),
  fromText: (text) => {
    const value = parsedJson(column, text)
    if (!shape(value)) throw new StoredJsonError(column)
    return value
  },
})
