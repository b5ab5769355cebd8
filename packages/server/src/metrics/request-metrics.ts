import type { LogEntry } from '@account-import/adapter-http-koa'
import { endpoints } from '@account-import/http-contract'
import type { Instruments } from './instruments.js'

/** The steps of an import; `import` is all of them in one request. */
type Step = 'validate' | 'stage' | 'process' | 'import'

/** The outcome of an account in a step. `busy`: the account is locked or the service overloaded; a retry may succeed. */
type AccountOutcome = 'valid' | 'created' | 'replaced' | 'dry_run' | 'refused' | 'busy' | 'failed'

/** The steps of requests for one account, by path pattern. */
const steps: ReadonlyMap<string, Step> = new Map([
  [endpoints.validateAccount.path, 'validate'],
  [endpoints.stageAccount.path, 'stage'],
  [endpoints.processAccount.path, 'process'],
])

/** The steps of bulk requests, by path pattern. */
const bulkSteps: ReadonlyMap<string, Step> = new Map([
  [endpoints.bulkValidate.path, 'validate'],
  [endpoints.bulkStage.path, 'stage'],
  [endpoints.bulkProcess.path, 'process'],
  [endpoints.bulkImport.path, 'import'],
])

/** The outcome of a count of a bulk request. `valid` is a dry run in the step `process`. */
const bulkOutcome = (step: Step, count: string): AccountOutcome | undefined => {
  if (count === 'created') return 'created'
  if (count === 'updated') return 'replaced'
  if (count === 'valid') return step === 'process' ? 'dry_run' : 'valid'
  return count === 'failed' ? 'refused' : undefined
}

/**
 * The outcome of an account, by the status and code of its response. Undefined for a request that was refused before its account
 * was checked, such as one without a token.
 */
const accountOutcome = (step: Step, status: number, code: string | undefined): AccountOutcome | undefined => {
  if (status === 201) return 'created'
  if (status === 200) return step === 'validate' ? 'valid' : 'replaced'
  if (code === 'dry_run_succeeded') return 'dry_run'
  if (status === 400) return 'refused'
  if (status === 429 || status === 409) return 'busy'
  return status >= 500 ? 'failed' : undefined
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const lineDurations = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 1]
const durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const measuresOf = ({ counter, histogram }: Instruments) => ({
  requests: counter(
    'requests_total',
    'Requests that ended, by the path pattern that they fit; status 0: the client disconnected before.',
    'route',
    'method',
    'status',
  ),
  duration: histogram(
    'request_duration_seconds',
    'From the first byte of a request to the last byte of its response.',
    durations,
    'route',
  ),
  problems: counter(
    'problems_total',
    'Requests, and accounts of bulk requests, that were answered with a problem, by its code.',
    'route',
    'code',
  ),
  fieldErrors: counter(
    'field_errors_total',
    'Entries of `errors` in the problems that were answered, by their codes.',
    'code',
  ),
  accounts: counter(
    'accounts_total',
    'Accounts that were validated, staged or processed, by outcome.',
    'step',
    'outcome',
  ),
  bulkLines: histogram(
    'bulk_line_seconds',
    'Time of bulk requests divided by their accounts: each request is observed once, when it ends.',
    lineDurations,
    'step',
  ),
  refused: counter(
    'refused_requests_total',
    'Requests that were refused unread, because the service is overloaded (busy) or their key or connection exceeds its limit (throttled).',
    'reason',
  ),
  failures: counter(
    'failures_total',
    'Requests that failed by a fault of the service or of what it needs, by the port that failed.',
    'port',
    'kind',
  ),
})

const reasons: ReadonlyMap<string | undefined, string> = new Map([
  ['service_busy', 'busy'],
  ['throttled', 'throttled'],
])

/** Counts requests by their log entries, which contain no data of a payload. */
export const requestMetrics = (of: Instruments): ((entry: LogEntry) => void) => {
  const { requests, duration, problems, fieldErrors, accounts, bulkLines, refused, failures } = measuresOf(of)
  for (const reason of reasons.values()) refused.inc({ reason }, 0)
  failures.inc({ port: 'none', kind: 'unexpected' }, 0)
  /** Counts the accounts of an ended bulk request, also of an aborted one. */
  const bulk = ({ route, counts, durationMs }: LogEntry): void => {
    const step = bulkSteps.get(route)
    if (step === undefined || counts === undefined) return
    for (const name in counts) {
      const outcome = bulkOutcome(step, name)
      if (outcome !== undefined) accounts.inc({ step, outcome }, counts[name])
    }
    const { received = 0 } = counts
    if (received > 0) bulkLines.observe({ step }, durationMs / 1000 / received)
  }
  return (entry) => {
    const { route, method, status, durationMs, code, lineCodes, replayed, errors, failure } = entry
    requests.inc({ route, method: methods.has(method) ? method : 'other', status })
    duration.observe({ route }, durationMs / 1000)
    if (code !== undefined) problems.inc({ route, code })
    for (const each in lineCodes) problems.inc({ route, code: each }, lineCodes[each])
    const reason = reasons.get(code)
    if (reason !== undefined) refused.inc({ reason })
    if (errors !== undefined) for (const each in errors) fieldErrors.inc({ code: each }, errors[each])
    if (failure !== undefined) failures.inc({ port: failure.port ?? 'none', kind: failure.kind })
    bulk(entry)
    // A replayed response is about an account that was counted before.
    const step = replayed === undefined ? steps.get(route) : undefined
    const outcome = step === undefined ? undefined : accountOutcome(step, status, code)
    if (step !== undefined && outcome !== undefined) accounts.inc({ step, outcome })
  }
}
