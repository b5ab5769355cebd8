import type { Processed, ProcessingRefused } from '@account-import/core'
import { bulkProcessRequest } from '@account-import/core/adapter-kit'
import { noParams } from '../address-params.js'
import { bulkProcessCall } from '../calls/bulk-process.js'
import { endpoint } from '../endpoint.js'
import { bulkAnswer, type BulkToAnswer, type Telling } from '../lines/bulk-lines.js'
import { refusalsOf } from '../use-case.js'

const telling = (isDryRun: boolean): Telling<Processed> => ({
  counts: [isDryRun ? 'valid' : 'created'],
  tell: ({ platformAccountNumber }) => ({
    countsAs: 'created',
    status: 201,
    platform_account_number: platformAccountNumber,
  }),
})

/** `isDryRun`: what the request says. */
type ToAnswer = BulkToAnswer<ProcessingRefused, Processed> & Readonly<{ isDryRun: boolean }>

export const bulkProcess = endpoint({
  ...bulkProcessCall,
  summary:
    'Creates accounts from their staged data, named ones or all of a supplier, and answers a line for each.',
  params: noParams,
  query: noParams,
  body: bulkProcessRequest,
  refusals: refusalsOf<'bulkProcess'>({
    RequestFailedValidation: true,
    SupplierNotOngoing: true,
    OperationsTeamDoesNotExist: true,
    PortFailure: true,
  }),
  answer: ({ isDryRun, ...done }: ToAnswer) => bulkAnswer(done, telling(isDryRun)),
})
