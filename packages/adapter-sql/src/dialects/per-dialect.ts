import type { SqlDialect } from './sql-dialect.js'

/** Makes a text once for each dialect, where it is needed for every request. */
export const perDialect = (make: (dialect: SqlDialect) => string): ((dialect: SqlDialect) => string) => {
  const made = new Map<SqlDialect, string>()
  return (dialect) => {
    const text = made.get(dialect) ?? make(dialect)
    made.set(dialect, text)
    return text
  }
}
