import { call } from '../call.js'
import { bulkLines } from '../lines/lines.js'

export const bulkValidateCall = call({
  method: 'POST',
  path: '/v1/data-import/account-import-process/bulk-validate/',
  scope: 'validate',
  statuses: [200],
  success: bulkLines,
})
