import type { AccountImportList } from '@account-import/core'
import * as t from 'io-ts'
import { supplierParams } from '../address-params.js'
import { endpoint } from '../endpoint.js'
import { listQuery } from '../lists/list-query.js'
import { listedImport } from '../responses/listed-import.js'

const listEndpoint = (list: AccountImportList, summary: string) =>
  endpoint({
    name: `${list}-account-imports`,
    summary,
    method: 'GET',
    path: `/v1/data-import/${list}-account-import-processes/{import_supplier_code}/`,
    scope: 'read',
    params: supplierParams,
    query: listQuery,
    body: undefined,
    statuses: [200],
    success: t.readonlyArray(listedImport),
  })

/** In order of external account number: the whole list, or with `limit` a page and a `Link` to the next. */
export const accountImportLists = {
  all: listEndpoint('all', 'Lists every import with staged data or an account.'),
  pending: listEndpoint('pending', 'Lists the imports that are staged or in progress, and not skipped.'),
  imported: listEndpoint('imported', 'Lists the imports whose account exists.'),
} as const
