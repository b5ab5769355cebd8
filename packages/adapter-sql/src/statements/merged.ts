import type { SqlDialect } from '../dialects/sql-dialect.js'

/** The first rows of several ranges in one order. Each of them is a SELECT that ends with `end`: that order and a LIMIT. */
export const merged = ({ limitedPart }: SqlDialect, ranges: readonly string[], end: string): string =>
  ranges.length === 1 ? ranges.join('') : `${ranges.map(limitedPart).join(' UNION ALL ')} ${end}`
