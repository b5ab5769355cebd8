import { externalAccountNumber, importSupplierCode } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'

/** No parameters in the path or query; unknown ones in the query are ignored. */
export const noParams = t.type({}, 'NoParams')

/** `<import-supplier-code>` */
export const supplierParams = t.type({ import_supplier_code: importSupplierCode }, 'SupplierParams')

/** `<import-supplier-code>/<external-account-number>` */
export const accountParams = t.type(
  { import_supplier_code: importSupplierCode, external_account_number: externalAccountNumber },
  'AccountParams',
)
