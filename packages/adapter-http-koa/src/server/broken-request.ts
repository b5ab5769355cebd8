import type { ServerResponse } from 'node:http'
import { requestIdOf } from '../request-id-of.js'
import type { Ending } from './end-connection.js'

const statuses = new Map<unknown, 408 | 431>([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_HEADER_OVERFLOW', 431],
])

/**
 * How a connection ends on which something came that is not HTTP. Where that was the body of a request that is
 * known, `latest` is its answer, and the id of the request stays.
 */
export const brokenRequest = (error: Error, latest: ServerResponse | undefined): Ending => ({
  refusal: { _tag: 'NotHttp', status: statuses.get('code' in error ? error.code : undefined) ?? 400 },
  requestId: requestIdOf(latest?.getHeader('X-Request-Id')),
  method: latest?.req.method ?? 'unknown',
})
