/** The first rows of several ranges in one order. Each of them is a SELECT that ends with `end`: that order and a LIMIT. */
export const merged = (ranges: readonly string[], end: string): string =>
  ranges.length === 1
    ? ranges.join('')
    : `${ranges.map((range) => `SELECT * FROM (${range}) AS part`).join(' UNION ALL ')} ${end}`
