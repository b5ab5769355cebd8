import * as t from 'io-ts'
import { call } from '../call.js'

/**
 * `total` is the sum of `staged`, `in_progress`, `created` and `skipped`. `failed`: those of `staged` whose last attempt
 * failed; `errors`: how many of these have each code, the most frequent first.
 */
const accountImportSummaryBody = t.type(
  {
    total: t.number,
    staged: t.number,
    in_progress: t.number,
    created: t.number,
    skipped: t.number,
    failed: t.number,
    errors: t.readonlyArray(t.type({ code: t.string, count: t.number })),
  },
  'AccountImportSummary',
)
export type AccountImportSummary = t.TypeOf<typeof accountImportSummaryBody>

export const accountImportSummaryCall = call({
  method: 'GET',
  path: '/v1/data-import/account-import-summary/{import_supplier_code}/',
  scope: 'read',
  statuses: [200],
  success: accountImportSummaryBody,
})
