import type { TypeOf } from 'io-ts'
import { boolean, optional, required, struct } from '../codec/index.js'
import { externalAccountNumber, importSupplierCode, operationsTeamName } from './identifiers.js'

/** The request to create an account from its staged data. */
export const processRequest = struct('process request', {
  external_account_number: required(externalAccountNumber),
  import_supplier_code: required(importSupplierCode),
  operations_team_name: required(operationsTeamName),
  dry_run: optional(boolean),
})

export type ProcessRequest = TypeOf<typeof processRequest>
