import type { LineUnreadable, Staged, StagingRefused } from '@account-import/core'
import { accountPayload } from '@account-import/core/adapter-kit'
import { noParams } from '../address-params.js'
import { bulkStageCall } from '../calls/bulk-stage.js'
import { endpoint } from '../endpoint.js'
import { bulkAnswer, type BulkToAnswer, type Telling } from '../lines/bulk-lines.js'
import { Lines } from '../lines/lines.js'
import { refusalsOf } from '../use-case.js'

const telling: Telling<Staged> = {
  counts: ['created', 'updated'],
  tell: ({ outcome }) =>
    outcome === 'created' ? { countsAs: 'created', status: 201 } : { countsAs: 'updated', status: 200 },
}

export const bulkStage = endpoint({
  ...bulkStageCall,
  summary: 'Checks accounts, one a line, stores those that are valid, and answers a line for each.',
  params: noParams,
  query: noParams,
  body: new Lines(accountPayload),
  refusals: refusalsOf<'bulkStage'>({ PortFailure: true }),
  answer: (done: BulkToAnswer<StagingRefused | LineUnreadable, Staged>) => bulkAnswer(done, telling),
})
