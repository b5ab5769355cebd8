import type { TypeOf } from 'io-ts'
import { boolean, list, optional, required, table, term } from '../codec/index.js'
import { externalAccountNumber, importSupplierCode } from './identifiers.js'

const fields = {
  import_supplier_code: required(importSupplierCode),
  external_account_numbers: required(list(externalAccountNumber)),
  with_additions: optional(boolean),
}

const meanings = `
  import_supplier_code: Code of the supplier whose created accounts are taken back. Example: "LEVANTE"
  external_account_numbers: Numbers of the accounts in the supplier's old system, at most 10,000. Example: ["LEV-E-000456"]
  with_additions: Whether accounts go to which something was added since. Left out, they are kept. Example: true
`

/** The request to say which created accounts can be taken back. */
export const undoPreviewRequest = table('undo preview request', fields)(meanings)

export type UndoPreviewRequest = TypeOf<typeof undoPreviewRequest>

/** The request to take created accounts back, with the code of the preview that it confirms. */
export const undoRequest = table('undo request', { ...fields, confirmation_code: required(term(64)) })(
  `${meanings}  confirmation_code: Code of the preview of the same accounts, not older than 15 minutes. Example: "m93k1x2c-5f1c0b7a9e3d4c6b8a7f2e1d0c9b8a7f"
`,
)

export type UndoAccountsRequest = TypeOf<typeof undoRequest>
