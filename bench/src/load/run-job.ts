import type { LoadJob, LoadResult } from './load-job.js'
import { sendBulkProcess, sendBulkStage } from './send-bulk.js'
import { sendSingle } from './send-single.js'

/** Sends requests as fast as the answers come. Rejects when a connection breaks. */
export const runJob = (job: LoadJob): Promise<LoadResult> => {
  if (job.verb === 'bulk-stage') return sendBulkStage(job)
  return job.verb === 'bulk-process' ? sendBulkProcess(job) : sendSingle(job, job.verb)
}
