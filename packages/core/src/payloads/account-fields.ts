import { required } from '../codec/index.js'
import { externalAccountNumber, importSupplierCode } from './identifiers.js'

/** How the post-import requests name the account that data is added to. */
export const accountFields = {
  import_supplier: required(importSupplierCode),
  external_account_number: required(externalAccountNumber),
}

/** The part that all post-import requests share. */
export type AccountFields = Readonly<{ import_supplier: string; external_account_number: string }>
