import type { TypeOf } from 'io-ts'
import { boolean, list, optional, required, struct, term } from '../codec/index.js'
import { externalAccountNumber, importSupplierCode } from './identifiers.js'

const fields = {
  import_supplier_code: required(importSupplierCode),
  external_account_numbers: required(list(externalAccountNumber)),
  with_additions: optional(boolean),
}

/** The request to say which created accounts can be taken back. */
export const undoPreviewRequest = struct('undo preview request', fields)

export type UndoPreviewRequest = TypeOf<typeof undoPreviewRequest>

/** The request to take created accounts back, with the code of the preview that it confirms. */
export const undoRequest = struct('undo request', { ...fields, confirmation_code: required(term(64)) })

export type UndoAccountsRequest = TypeOf<typeof undoRequest>
