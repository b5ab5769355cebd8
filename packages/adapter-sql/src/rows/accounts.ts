import type { Account } from '@account-import/core'
import type { AccountDocument } from '@account-import/core/adapter-kit'
import { keptText, readEither, type DataKey } from '../encryption/data-keys.js'
import type { OwnerRow } from '../encryption/encrypted-text.js'
import type { ImportKeyRow } from './import-key.js'
import { importKeyRow } from './import-key.js'
import { toSqlInstant } from './instants.js'
import { parsedJson, StoredJsonError } from './json-column.js'
import type { NewRow } from './row.js'
import { anyObject } from './shapes.js'
import { tables } from './tables.js'

export type AccountRow = ImportKeyRow &
  Readonly<{
    platform_account_number: string
    operations_team: string
    staged_version: number
    created_at: string
    erased_at: string | null
    /** Written by every addition, and read by nobody: on a cluster one of two that write it at the same time commits. */
    additions: number
    /** What is encrypted of the account is encrypted by it; NULL where nothing is. */
    data_key: string | null
    /** `AccountDocument` as JSON text, plain or encrypted. */
    details: string
  }>

const ownerOf = (key: ImportKeyRow): OwnerRow => [
  tables.accounts,
  key.organisation,
  key.import_supplier,
  key.external_account_number,
]

/** How the row of an account keeps its document. */
export const keptDocument = (
  dataKey: DataKey | undefined,
  key: ImportKeyRow,
  document: AccountDocument,
): string => keptText(dataKey, ownerOf(key), JSON.stringify(document))

export const accountRow = (
  account: Omit<Account, 'details'>,
  document: AccountDocument,
  dataKey: DataKey | undefined,
): NewRow<AccountRow> => {
  const key = importKeyRow(account.key)
  return {
    ...key,
    platform_account_number: account.platformAccountNumber,
    operations_team: account.operationsTeam,
    staged_version: account.stagedVersion,
    created_at: toSqlInstant(account.createdAt),
    erased_at: null,
    additions: 0,
    data_key: dataKey?.column,
    details: keptDocument(dataKey, key, document),
  }
}

const column = `${tables.accounts}.details`

/** The JSON text of the document. Throws a `DecryptionError`. */
export const documentText = (
  dataKey: DataKey | undefined,
  row: ImportKeyRow & Pick<AccountRow, 'details'>,
): string => readEither(dataKey, ownerOf(row), row.details)

/** The document of an account. Throws a `DecryptionError` or a `StoredJsonError`. */
export const documentIn = (
  dataKey: DataKey | undefined,
  row: ImportKeyRow & Pick<AccountRow, 'details'>,
): AccountDocument => {
  const document = parsedJson(column, documentText(dataKey, row))
  if (!anyObject(document)) throw new StoredJsonError(column)
  return document as AccountDocument
}
