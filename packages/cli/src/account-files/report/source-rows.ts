import { counted, numberText } from '@account-import/account-files'

/** The sum of an amount over the rows of a file, as decimals; `withoutNumber`: rows whose amount is none. */
type RowSum = Readonly<{ name: string; all: string; used: string; withoutNumber: number }>

/**
 * The rows of a file that was converted to accounts.
 *
 * - `used`: rows that an account uses; undefined for a table of reference, whose rows are only counted
 * - `rejected`: rows with a fault, which are not among `rows`
 */
export type SourceRows = Readonly<{
  source: string
  file: string
  rows: number
  rejected: number
  used: number | undefined
  firstUnused: Readonly<{ line: number; key: string; value: string }> | undefined
  sums: readonly RowSum[]
}>

/** Whether every row that was read is used. */
export const areAllUsed = (files: readonly SourceRows[]): boolean =>
  files.every(({ rows, used }) => used === undefined || used === rows)

/** The text for people: `2,098 rows read, 2,097 used; first unused: line 1,203 (cliente = 99999)`. */
export const rowsText = ({ rows, used, rejected, firstUnused }: SourceRows, withKey = true): string => {
  const parts = [`${counted(rows, 'row')} read`]
  if (used !== undefined) parts.push(`${numberText(used)} used`)
  if (rejected > 0) parts.push(`${numberText(rejected)} rejected`)
  if (firstUnused === undefined) return parts.join(', ')
  const { line, key, value } = firstUnused
  const named = withKey ? ` (${key} = ${value === '' ? 'empty' : value})` : ''
  return `${parts.join(', ')}; first unused: line ${numberText(line)}${named}`
}

/** The text of a sum: `sum of importe_eur 1547.07, of the used rows 1047.07`. */
export const sumText = ({ name, all, used, withoutNumber }: RowSum): string =>
  `sum of ${name} ${all}, of the used rows ${used}${withoutNumber === 0 ? '' : `; ${counted(withoutNumber, 'row')} without a number`}`
