import { detailOf } from '@account-import/core'
import { idempotencyKeyHeader, idempotencyKeyPattern, type Call } from '@account-import/http-contract'
import { addressOf } from './address-of.js'
import type { Authorized } from './authorized.js'
import type { CallOptions } from './call-options.js'
import { isFailure, limitedExchange, readWhole } from './exchange.js'
import { explained } from './explained.js'
import { readAnswer } from './read-answer.js'
import { ownFailure, serviceFailure, type Failure, type Result } from './result.js'

/** What goes into one call. `search` is a query with its question mark. */
type Sent = Readonly<{
  params?: Readonly<Record<string, string>>
  search?: string
  body?: unknown
  idempotencyKey?: string | undefined
  options?: CallOptions | undefined
}>

/** A result with the head that it came with, for links to further pages. */
export type Called<Body> = Readonly<{ result: Result<Body>; headers: Headers | undefined }>

export type Caller = <Success>(endpoint: Call<Success, number>, sent: Sent) => Promise<Called<Success>>

const initOf = (method: string, { body, idempotencyKey }: Sent): RequestInit => ({
  method,
  headers: {
    Accept: 'application/json',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { [idempotencyKeyHeader]: idempotencyKey }),
  },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
})

const failed = (failure: Failure): Called<never> => ({ result: failure, headers: undefined })

/** What the service would say; not every text can be sent to it as a header. */
const keyNotValid = serviceFailure(
  { code: 'invalid_idempotency_key', detail: detailOf('invalid_idempotency_key'), errors: [] },
  { status: 400, requestId: '' },
)

/** Calls endpoints that answer with one JSON document. */
export const makeCaller = (authorized: Authorized, baseUrl: string): Caller => {
  const call: Caller = async (endpoint, sent) => {
    const { params = {}, search = '', idempotencyKey } = sent
    if (idempotencyKey !== undefined && !idempotencyKeyPattern.test(idempotencyKey))
      return failed(keyNotValid)
    const url = addressOf(baseUrl, endpoint, params)
    if (url === undefined)
      return failed(ownFailure('address_not_possible', 'No URL can carry one of these identifiers.'))
    const init = initOf(endpoint.method, sent)
    const exchanged = await limitedExchange(
      async (signal) => readWhole(await authorized(url + search, { ...init, signal })),
      sent.options,
    )
    if (isFailure(exchanged)) return failed(exchanged)
    return { result: readAnswer(endpoint, exchanged), headers: exchanged.response.headers }
  }
  return async (endpoint, sent) => {
    const { result, headers } = await call(endpoint, sent)
    return { result: result.ok ? result : explained(baseUrl, result), headers }
  }
}
