import { isErrorCode } from '@account-import/core'
import { errorPagePath } from '@account-import/http-contract'
import { addressOf } from './address-of.js'
import type { CalledEndpoint } from './called-endpoint.js'
import { exchange, type Exchanged } from './exchange.js'
import { readAnswer } from './read-answer.js'
import { ownFailure, type Failure, type Result } from './result.js'
import type { TokenKeeper } from './token-keeper.js'

/** What goes into one call. `search` is a query with its question mark. */
type Sent = Readonly<{ params?: Readonly<Record<string, string>>; search?: string; body?: unknown }>

/** A result with the head that it came with, for links to further pages. */
export type Called<Body> = Readonly<{ result: Result<Body>; headers: Headers | undefined }>

export type Caller = <Success>(endpoint: CalledEndpoint<Success>, sent: Sent) => Promise<Called<Success>>

const initOf = (method: string, token: string, body: unknown): RequestInit => ({
  method,
  headers: {
    Accept: 'application/json',
    Authorization: `Token ${token}`,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
})

const failed = (failure: Failure): Called<never> => ({ result: failure, headers: undefined })

const explained = <Body>(baseUrl: string, result: Result<Body>): Result<Body> =>
  result.ok || !isErrorCode(result.code)
    ? result
    : { ...result, docsUrl: baseUrl + errorPagePath(result.code) }

/** Calls endpoints with the kept token; a token that has expired on the way is renewed once. */
export const makeCaller = (fetch: typeof globalThis.fetch, baseUrl: string, keeper: TokenKeeper): Caller => {
  const attempt = async (
    url: string,
    method: string,
    body: unknown,
    again: boolean,
  ): Promise<Exchanged | Failure> => {
    const token = await keeper.token()
    if (typeof token !== 'string') return token
    const exchanged = await exchange(fetch, url, initOf(method, token, body))
    if (!again || 'ok' in exchanged || !saysExpired(exchanged)) return exchanged
    keeper.discard(token)
    return attempt(url, method, body, false)
  }
  const call: Caller = async (endpoint, { params = {}, search = '', body }) => {
    const url = addressOf(baseUrl, endpoint, params)
    if (url === undefined)
      return failed(ownFailure('address_not_possible', 'No URL can carry one of these identifiers.'))
    const exchanged = await attempt(url + search, endpoint.method, body, true)
    if ('ok' in exchanged) return failed(exchanged)
    return { result: readAnswer(endpoint, exchanged), headers: exchanged.response.headers }
  }
  return async (endpoint, sent) => {
    const { result, headers } = await call(endpoint, sent)
    return { result: explained(baseUrl, result), headers }
  }
}

const saysExpired = ({ response, json }: Exchanged): boolean =>
  response.status === 401 &&
  typeof json === 'object' &&
  json !== null &&
  'code' in json &&
  json.code === 'token_expired'
