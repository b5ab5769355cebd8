import { call } from '../call.js'
import { bulkLines } from '../lines/lines.js'

export const bulkProcessCall = call({
  method: 'POST',
  path: '/v1/data-import/account-import-process/bulk-process/',
  scope: 'process',
  statuses: [200],
  success: bulkLines,
})
