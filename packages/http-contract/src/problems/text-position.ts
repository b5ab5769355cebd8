/** A place in a text, both counted from 1, columns in UTF-16 units as editors do; `line` is absent where one line alone is meant. */
export type TextPosition = Readonly<{ line?: number; column: number }>
