import type { AccountDetails } from '@account-import/core'
import { fromJson, toJson } from './json.js'
import type { Place } from './account-row-key.js'
import type { Row } from './row.js'

type MetadataEntry = AccountDetails['metadata'][number]

export type AccountMetadataRow = Readonly<{ ordinal: number; metadata_key: string; value: string }>

export const accountMetadataRow = (entry: MetadataEntry, place: Place): Row => ({
  ...place,
  metadata_key: entry.key,
  value: toJson(entry.value),
})

export const accountMetadataOf = (row: AccountMetadataRow): MetadataEntry => ({
  key: row.metadata_key,
  value: fromJson<MetadataEntry['value']>(row.value),
})
