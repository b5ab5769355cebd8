/**
 * Where a text is no JSON any more, both counted from 1, columns in UTF-16 units as editors do; `line` is absent where one
 * line alone is meant. `isRepeatedKey`: a key that its object has already begins there.
 */
export type TextPosition = Readonly<{ line?: number; column: number; isRepeatedKey?: boolean }>
