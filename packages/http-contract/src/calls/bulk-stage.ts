import { call } from '../call.js'
import { bulkLines } from '../lines/lines.js'

export const bulkStageCall = call({
  method: 'POST',
  path: '/v1/data-import/account-import-process/bulk-create-or-update/',
  scope: 'stage',
  statuses: [200],
  success: bulkLines,
})
