import type { Problem } from '@account-import/http-contract'
import type { LogEntry } from '../log-entry.js'

/** Whose request was refused without the application being asked. */
type Refused = Readonly<{
  requestId: string
  /** `unknown` where what came cannot be read. */
  method: string
}>

/** The log entry of such a request. */
export const refusalEntry = (
  { requestId, method }: Refused,
  { status, body }: Pick<Problem, 'status' | 'body'>,
  aborted = false,
): LogEntry => ({
  event: 'request',
  level: status === 503 ? 'warn' : 'info',
  requestId,
  method,
  route: 'unmatched',
  status,
  durationMs: 0,
  aborted,
  code: body.code,
})
