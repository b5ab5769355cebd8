import type { AccountRowKey } from '../rows/account-row-key.js'
import { DecryptionError } from '../encryption/encrypted-text.js'
import type { DataKeys } from '../encryption/data-keys.js'
import { asItIs, revealWith, type EncryptedDetails } from '../rows/reveal.js'
import { unlessChanged } from './verified-payload.js'

/** Shows the rows of one account as they were written, as far as they can be read. */
export type ShownRows = Readonly<{
  /** The row as it lies there where it cannot. */
  show<R extends object>(table: string, row: R): R
  /** Whether all rows that were shown could be read. */
  areReadable(): boolean
}>

/** `details`: what the rows hide. Throws a `KeyRingError` where a key is missing. */
export const shownRows = async (
  dataKeys: DataKeys,
  account: (AccountRowKey & Readonly<{ data_key: string | null }>) | undefined,
  details: readonly EncryptedDetails[],
): Promise<ShownRows> => {
  const reveal = await unlessChanged(
    async () =>
      account === undefined ? asItIs : revealWith(await dataKeys.of(account.data_key), account, details),
    undefined,
  )
  let areReadable = reveal !== undefined
  const show = <R extends object>(table: string, row: R): R => {
    try {
      return reveal?.(table, row) ?? row
    } catch (cause) {
      if (!(cause instanceof DecryptionError)) throw cause
      areReadable = false
      return row
    }
  }
  return { show, areReadable: () => areReadable }
}
