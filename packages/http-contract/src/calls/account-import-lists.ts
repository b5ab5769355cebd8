import type { AccountImportList } from '@account-import/core'
import * as t from 'io-ts'
import { call } from '../call.js'
import { listedImport } from '../lists/listed-import.js'

const listCall = (list: AccountImportList) =>
  call({
    method: 'GET',
    path: `/v1/data-import/${list}-account-import-processes/{import_supplier_code}/`,
    scope: 'read',
    statuses: [200],
    success: t.readonlyArray(listedImport),
  })

export const accountImportListCalls = {
  all: listCall('all'),
  pending: listCall('pending'),
  imported: listCall('imported'),
} as const
