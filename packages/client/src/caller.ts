import { detailOf } from '@account-import/core'
import { type Endpoint, idempotencyKeyHeader, idempotencyKeyPattern } from '@account-import/http-contract'
import { addressOf, isFailure, limitedExchange, readAnswer, readWhole } from './exchange.js'
import type { Authorized } from './obtain-token.js'
import type { CallOptions, KeyedOptions } from './options.js'
import { defaultRetrySeconds, Patience, pause } from './patience.js'
import { explained, type Failure, ownFailure, type Result, serviceFailure } from './result.js'

/** Sends a request again, where it has a key, until an answer stays or patience ends. 400 stays, whatever its code. */
export const repeated = async <Body>(
  send: () => Promise<Result<Body>>,
  { idempotencyKey, retrySeconds = defaultRetrySeconds, signal }: KeyedOptions,
): Promise<Result<Body>> => {
  const patience = new Patience(retrySeconds)
  for (;;) {
    const result = await send()
    if (result.ok || result.status === 400 || idempotencyKey === undefined) return result
    const seconds = patience.wait(result)
    if (seconds === undefined) return result
    if (!(await pause(seconds, signal))) return ownFailure('aborted', 'Stopped by the caller.')
  }
}

/** The input of one call. `search` is a query with its question mark. */
type Sent = Readonly<{
  params?: Readonly<Record<string, string>>
  search?: string
  body?: unknown
  idempotencyKey?: string | undefined
  options?: CallOptions | undefined
}>

/** A result with the head that it came with, for links to further pages. */
export type Called<Body> = Readonly<{ result: Result<Body>; headers: Headers | undefined }>

export type Caller = <Success>(endpoint: Endpoint<Success>, sent: Sent) => Promise<Called<Success>>

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

/** The answer that the service would give; not every text can be sent to it as a header. */
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
