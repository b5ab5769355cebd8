import { noParams, supplierParams } from '../address-params.js'
import type { Answer } from '../call.js'
import { type AccountImportSummary, accountImportSummaryCall } from '../calls/account-import-summary.js'
import { endpoint } from '../endpoint.js'
import { type Done, refusalsOf } from '../use-case.js'

export const accountImportSummary = endpoint({
  ...accountImportSummaryCall,
  summary: 'Counts the imports of a supplier by state, and those that failed by code.',
  params: supplierParams,
  query: noParams,
  body: undefined,
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
