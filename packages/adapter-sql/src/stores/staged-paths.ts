import type { ReferencesRequest } from '@account-import/core'
import { payloadDocumentPaths } from '@account-import/core/adapter-kit'
import type { Knex } from 'knex'
import type { DataKeys } from '../encryption/data-keys.js'
import { StoredJsonError } from '../rows/json-column.js'
import { payloadOf, type PayloadColumns } from '../rows/kept-payload.js'
import { chunks, maxStatementBytes } from '../statements/chunks.js'
import { tables } from '../rows/tables.js'
import type { ReferringImport } from './referring-imports.js'

type PayloadRow = PayloadColumns & Readonly<{ external_account_number: string }>

/** A payload was validated when it was staged: here it only has to be JSON. */
const pathsIn = (payload: string): readonly string[] => {
  try {
    return payloadDocumentPaths(payload)
  } catch (cause) {
    throw cause instanceof SyntaxError ? new StoredJsonError('account_imports.payload') : cause
  }
}

/** What the payloads of staged imports name, by external account number; only a few MiB of them are held at a time. */
export const stagedPaths = async (
  db: Knex,
  dataKeys: DataKeys,
  { organisation, importSupplier }: ReferencesRequest,
  imports: readonly ReferringImport[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const paths = new Map<string, readonly string[]>()
  const parts = chunks(imports, {
    maxItems: 500,
    maxBytes: maxStatementBytes,
    bytesOf: ({ payload_bytes }) => payload_bytes ?? 0,
  })
  for (const part of parts) {
    const numbers = part.map(({ external_account_number }) => external_account_number)
    const rows = (await db(tables.accountImports)
      .where({ organisation, import_supplier: importSupplier })
      .whereIn('external_account_number', numbers)
      .select('external_account_number', 'payload', 'data_key')) as readonly PayloadRow[]
    for (const row of rows) {
      const key = { organisation, importSupplier, externalAccountNumber: row.external_account_number }
      paths.set(row.external_account_number, pathsIn(await payloadOf(dataKeys, key, row)))
    }
  }
  return paths
}
