import { counted, numberText } from '@account-import/account-files'

/**
 * The sum of an amount over the rows of a file, as decimals.
 *
 * - `all`: over all rows; `found`: over those whose key was found
 * - `field`: the declared field of the accounts; undefined: any amount
 * - `compared`: the sum of the field in the accounts, and by how much the sums of all sources for it are above that; undefined if
 *   no amount of the accounts has the sum
 * - `withoutNumber`: rows whose amount is none
 */
export type RowSum = Readonly<{
  name: string
  all: string
  found: string
  field: string | undefined
  compared: Readonly<{ field: string; accounts: string; difference: string }> | undefined
  withoutNumber: number
}>

/**
 * The rows of a file that was converted to accounts.
 *
 * - `keyFound`: rows with the key of an account, and their different keys; undefined for a table of reference, whose rows are only
 *   counted. The values of such a row need not be in the account.
 * - `rejected`: rows with a fault; `ignored`: rows that the mapping ignores, where it declares some. Neither are among `rows`.
 * - `isRead`: whether the query reads the file for a field of an account
 * - `spanning`: rows with line breaks in their cells, and the line of the first
 */
export type SourceRows = Readonly<{
  source: string
  file: string
  rows: number
  isRead: boolean
  ignored: number | undefined
  rejected: number
  spanning: Readonly<{ rows: number; firstLine: number }>
  keyFound: Readonly<{ rows: number; keys: number }> | undefined
  firstUnused: Readonly<{ line: number; key: string; value: string }> | undefined
  sums: readonly RowSum[]
}>

const differs = ({ compared }: RowSum): boolean => !/^-?0\.0+$/.test(compared?.difference ?? '')

/** Whether every file with rows is read, the key of every row was found, and no sum differs from that of the accounts. */
export const areComplete = (files: readonly SourceRows[]): boolean =>
  files.every(
    ({ rows, isRead, keyFound, sums }) =>
      (isRead || rows === 0) && (keyFound === undefined || keyFound.rows === rows) && !sums.some(differs),
  )

/** The text for people: `2,098 rows read, key found for 2,097; first unused: line 1,203 (cliente = 99999)`. */
export const rowsText = (
  { rows, isRead, ignored, rejected, spanning, keyFound, firstUnused }: SourceRows,
  withKey = true,
): string => {
  const parts = [`${counted(rows, 'row')} read`]
  if (ignored !== undefined) parts.push(`${numberText(ignored)} ignored`)
  if (rejected > 0) parts.push(`${numberText(rejected)} rejected`)
  if (spanning.rows > 0)
    parts.push(
      `${numberText(spanning.rows)} over several lines (first: line ${numberText(spanning.firstLine)})`,
    )
  if (!isRead) return `${parts.join(', ')}, and no field of the query is made of them`
  if (keyFound !== undefined) parts.push(`key found for ${numberText(keyFound.rows)}`)
  const sharing = keyFound === undefined ? 0 : keyFound.rows - keyFound.keys
  if (sharing > 0) parts.push(`${numberText(sharing)} with the key of an earlier row`)
  if (firstUnused === undefined) return parts.join(', ')
  const { line, key, value } = firstUnused
  const named = withKey ? ` (${key} = ${value === '' ? 'empty' : value})` : ''
  return `${parts.join(', ')}; first unused: line ${numberText(line)}${named}`
}

/** The text of a sum: `sum of importe_eur 1547.07, key found 1047.07, in the accounts 547.07: difference 500.00`. */
export const sumText = (sum: RowSum): string => {
  const { name, all, found, compared, withoutNumber } = sum
  const difference = compared && differs(sum) ? `: difference ${compared.difference}` : ''
  const accounts = compared
    ? `in the accounts ${compared.accounts} (${compared.field})${difference}`
    : 'in no field of the accounts: name its field, sum … = FIELD'
  const without = withoutNumber === 0 ? '' : `; ${counted(withoutNumber, 'row')} without a number`
  return `sum of ${name} ${all}, key found ${found}, ${accounts}${without}`
}
