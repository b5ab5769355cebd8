import { accountParams, noParams } from '../address-params.js'
import { endpoint } from '../endpoint.js'
import { transferStatusBody } from '../responses/transfer-status.js'

export const transferStatus = endpoint({
  name: 'transfer-status',
  summary: 'Says how far the import of one account is.',
  method: 'GET',
  path: '/v1/data-import/account-transfer-status/{import_supplier_code}/{external_account_number}/',
  scope: 'read',
  params: accountParams,
  query: noParams,
  body: undefined,
  statuses: [200],
  success: transferStatusBody,
})
