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
    'SELECT i.external_account_number, i.platform_account_number, OCTET_LENGTH(s.payload) AS payload_bytes ' +
      `FROM ${dialect.inOrderOf(`${tables.accountImports} i`, 'PRIMARY')} LEFT JOIN ${tables.stagedAccounts} s ON s.organisation = i.organisation ` +
      'AND s.import_supplier = i.import_supplier AND s.external_account_number = i.external_account_number ' +
      'AND i.platform_account_number IS NULL ' +
      'WHERE i.organisation = ? AND i.import_supplier = ? AND i.staged_version > 0 ' +
      (after === undefined ? '' : 'AND i.external_account_number > ? ') +
      `ORDER BY i.external_account_number LIMIT ${Math.trunc(limit)}`,
    [organisation, importSupplier, ...(after === undefined ? [] : [after])],
  )
