import type { AccountKey } from '@account-import/core'
import { keptText, readText, type DataKeys } from '../encryption/data-keys.js'
import type { OwnerRow } from '../encryption/encrypted-text.js'
import { tables } from './tables.js'

/** A payload as the row of its import keeps it: as it is, or encrypted by the data key beside it. */
export type KeptPayload = Readonly<{ payload: string; dataKey: string | null }>

/** What is read of a row. */
export type PayloadColumns = Readonly<{ payload: string; data_key: string | null }>

const ownerOf = ({ organisation, importSupplier, externalAccountNumber }: AccountKey): OwnerRow => [
  tables.accountImports,
  organisation,
  importSupplier,
  externalAccountNumber,
]

/** Each staging has a data key of its own: nothing is read to find one, and none is used for two payloads. */
export const keptPayload = async (
  dataKeys: DataKeys,
  key: AccountKey,
  payload: string,
): Promise<KeptPayload> => {
  const dataKey = await dataKeys.make()
  return { payload: keptText(dataKey, ownerOf(key), payload), dataKey: dataKey?.column ?? null }
}

/** The payload as it was staged. Throws a `KeyRingError` or a `DecryptionError`. */
export const payloadOf = async (dataKeys: DataKeys, key: AccountKey, row: PayloadColumns): Promise<string> =>
  readText(await dataKeys.of(row.data_key), ownerOf(key), row.payload)
