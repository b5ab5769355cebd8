/** A `?` for each value of a list. */
export const marks = (count: number): string => Array<string>(count).fill('?').join(', ')

/** A value for each of so many values of a column. Bindings: the value of the column and what it stands for, in turns. */
export const caseOf = (column: string, count: number): string =>
  `CASE ${column}${' WHEN ? THEN ?'.repeat(count)} END`
