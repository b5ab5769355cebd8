import * as t from 'io-ts'
import { noParams, supplierParams } from '../address-params.js'
import type { Answer } from '../answer.js'
import { endpoint } from '../endpoint.js'
import { refusalsOf, type Done } from '../use-case.js'

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

export const accountImportSummary = endpoint({
  summary: 'Counts the imports of a supplier by state, and those that failed by code.',
  method: 'GET',
  path: '/v1/data-import/account-import-summary/{import_supplier_code}/',
  scope: 'read',
  params: supplierParams,
  query: noParams,
  body: undefined,
  statuses: [200],
  success: accountImportSummaryBody,
  refusals: refusalsOf<'accountImportSummary'>({ SupplierNotFound: true, PortFailure: true }),
  answer: (counted: Done<'accountImportSummary'>): Answer<AccountImportSummary, 200> => {
    const { staged, inProgress, created, skipped, failed, errors } = counted
    const total = staged + inProgress + created + skipped
    return {
      status: 200,
      headers: {},
      body: { total, staged, in_progress: inProgress, created, skipped, failed, errors },
    }
  },
})
