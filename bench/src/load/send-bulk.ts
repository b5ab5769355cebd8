import { bodyTemplates, stamped } from '../workload/bodies.js'
import { names } from '../workload/names.js'
import { paths, type Verb } from '../workload/verbs.js'
import { bulkOutcome } from './bulk-outcome.js'
import { closedLoop } from './closed-loop.js'
import type { LoadJob, LoadResult } from './load-job.js'

// As much in one request as `account-import import` sends.
const mostBytes = 5_000_000
const mostLines = 1000

const lineEnd = Buffer.from('\n')

const post = (job: LoadJob, verb: Verb, type: string, body: Buffer | string): Promise<Response> =>
  fetch(`http://127.0.0.1:${job.port}${paths[verb]}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${job.token}`, 'Content-Type': type },
    body,
  })

/** Accounts of one request: as many lines of the middle size as fit. */
const accountsPerRequest = (templates: readonly string[]): number => {
  const bytes = templates.reduce((sum, template) => sum + Buffer.byteLength(template) + 1, 0)
  return Math.max(1, Math.min(mostLines, Math.floor((mostBytes * templates.length) / bytes)))
}

/** Stages many accounts a request, a line each. */
export const sendBulkStage = (job: LoadJob): Promise<LoadResult> => {
  const templates = bodyTemplates('stage', job.payload)
  const bodyFor = stamped(templates)
  return closedLoop(job, accountsPerRequest(templates), async (_, first, accounts) => {
    const lines = Array.from({ length: accounts }, (_line, index) => [bodyFor(first + index), lineEnd])
    const body = Buffer.concat(lines.flat())
    return bulkOutcome(await post(job, 'bulk-stage', 'application/x-ndjson', body))
  })
}

/** Has everything created that is staged: the service takes what comes next, whoever asks. */
export const sendBulkProcess = (job: LoadJob): Promise<LoadResult> => {
  const body = JSON.stringify({
    import_supplier_code: names.supplier,
    operations_team_name: names.team,
  })
  return closedLoop(job, Math.ceil(job.accounts / job.clients), async () =>
    bulkOutcome(await post(job, 'bulk-process', 'application/json', body)),
  )
}
