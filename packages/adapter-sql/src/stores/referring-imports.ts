import type { ReferencesRequest } from '@account-import/core'
import type { Knex } from 'knex'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { selectRows } from '../statements/select-rows.js'
import { tables } from '../rows/tables.js'

/** An import whose data may name documents. `payload_bytes` is null for a created one. */
export type ReferringImport = Readonly<{
  external_account_number: string
  platform_account_number: string | null
  payload_bytes: number | null
}>

/** The next imports in order of their keys, with how large their payloads are, which are not read yet. */
export const referringImports = (
  db: Knex,
  dialect: SqlDialect,
  { organisation, importSupplier, after, limit }: ReferencesRequest,
): Promise<readonly ReferringImport[]> =>
  selectRows<ReferringImport>(
    db,
    'SELECT external_account_number, platform_account_number, ' +
      'CASE WHEN platform_account_number IS NULL THEN OCTET_LENGTH(payload) END AS payload_bytes ' +
      `FROM ${dialect.inOrderOf(tables.accountImports, 'PRIMARY')} ` +
      'WHERE organisation = ? AND import_supplier = ? AND staged_version > 0 ' +
      (after === undefined ? '' : 'AND external_account_number > ? ') +
      `ORDER BY external_account_number LIMIT ${Math.trunc(limit)}`,
    [organisation, importSupplier, ...(after === undefined ? [] : [after])],
  )
