import type { AccountDetails } from '@account-import/core'
import { jsonColumn } from './json-column.js'
import type { RowKey } from './account-row-key.js'
import type { NewRow } from './row.js'
import { anyObject } from './shapes.js'

type MetadataEntry = AccountDetails['metadata'][number]

export type AccountMetadataRow = RowKey & Readonly<{ metadata_key: string; value: string }>

const value = jsonColumn<MetadataEntry['value']>('account_metadata.value', anyObject)

export const accountMetadataRow = (entry: MetadataEntry, key: RowKey): NewRow<AccountMetadataRow> => ({
  ...key,
  metadata_key: entry.key,
  value: value.toText(entry.value),
})

export const accountMetadataOf = (row: AccountMetadataRow): MetadataEntry => ({
  key: row.metadata_key,
  value: value.fromText(row.value),
})
