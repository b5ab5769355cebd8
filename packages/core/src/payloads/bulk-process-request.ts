import type { TypeOf } from 'io-ts'
import { boolean, list, optional, required, struct } from '../codec/index.js'
import { externalAccountNumber, importSupplierCode, operationsTeamName } from './identifiers.js'

/** The request to create accounts from their staged data: those that are named, or all of the supplier. */
export const bulkProcessRequest = struct('bulk process request', {
  import_supplier_code: required(importSupplierCode),
  operations_team_name: required(operationsTeamName),
  dry_run: optional(boolean),
  external_account_numbers: optional(list(externalAccountNumber)),
})

export type BulkProcessRequest = TypeOf<typeof bulkProcessRequest>
