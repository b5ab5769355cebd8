import type { DataKey } from '../encryption/data-keys.js'
import { decryptText, DecryptionError } from '../encryption/encrypted-text.js'
import type { AccountRowKey } from './account-row-key.js'
import { detailsOwner, hiddenName, placeholder, type HiddenValues } from './hidden-values.js'
import { personalColumns } from './personal-columns.js'
import { tables } from './tables.js'

/** What is read of a row that keeps hidden values. */
export type EncryptedDetails = Readonly<{ ordinal: number; content: string }>

/** Gives a row of an account as it was written. Throws a `DecryptionError` where what it hides is not there. */
export type Reveal = <R extends object>(table: string, row: R) => R

/** Of an account of which nothing is encrypted. */
export const asItIs: Reveal = (_, row) => row

/** Of an account with a data key: some of its rows may have been written before it had one. Throws a `DecryptionError`. */
export const revealWith = (
  dataKey: DataKey | undefined,
  key: AccountRowKey,
  details: readonly EncryptedDetails[],
): Reveal => {
  if (dataKey === undefined) return asItIs
  const hidden = new Map(
    details.flatMap(({ ordinal, content }) =>
      Object.entries(
        JSON.parse(decryptText(dataKey.bytes, detailsOwner(key, ordinal), content)) as HiddenValues,
      ),
    ),
  )
  return (table, row) => {
    const columns = row as Readonly<Record<string, unknown>>
    const values = hidden.get(hiddenName(table, columns))
    const isLost = (column: string): boolean =>
      columns[column] === placeholder && values?.[column] === undefined
    if (personalColumns.get(table)?.some(isLost)) throw new DecryptionError(tables.encryptedDetails)
    return { ...row, ...values }
  }
}
