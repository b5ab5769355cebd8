import type { SentPayload } from '@account-import/core'
import { externalAccountNumber, importSupplierCode, readField } from '@account-import/core/adapter-kit'
import type { RequestRecord } from './context.js'

/** Remembers which account a body names, whether the rest of it is valid or not: a refusal may say something of it too. */
export const noteAccount = (record: RequestRecord, { payload }: SentPayload): void => {
  const number = readField(externalAccountNumber, payload, 'external_account_number')
  if (number === undefined) return
  const importSupplier =
    readField(importSupplierCode, payload, 'import_supplier') ??
    readField(importSupplierCode, payload, 'import_supplier_code')
  if (importSupplier !== undefined) record.account = { importSupplier, externalAccountNumber: number }
}
