import type { AccountFailedValidation, LineUnreadable, WithWarnings } from '@account-import/core'
import { accountPayload } from '@account-import/core/adapter-kit'
import { noParams } from '../address-params.js'
import { bulkValidateCall } from '../calls/bulk-validate.js'
import { endpoint } from '../endpoint.js'
import { bulkAnswer, type BulkToAnswer, type Telling } from '../lines/bulk-lines.js'
import { Lines } from '../lines/lines.js'
import { refusalsOf } from '../use-case.js'

const telling: Telling<WithWarnings> = {
  counts: ['valid'],
  tell: () => ({ countsAs: 'valid', status: 200 }),
}

export const bulkValidate = endpoint({
  ...bulkValidateCall,
  summary: 'Checks accounts, one a line, and answers a line for each; stores nothing.',
  params: noParams,
  query: noParams,
  body: new Lines(accountPayload),
  refusals: refusalsOf<'bulkValidate'>({ PortFailure: true }),
  answer: (done: BulkToAnswer<AccountFailedValidation | LineUnreadable, WithWarnings>) =>
    bulkAnswer(done, telling),
})
