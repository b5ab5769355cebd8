import type { ErrorCode } from '@account-import/core'
import {
  graphqlAddress,
  graphqlErrorCodes,
  type ObtainedToken,
  obtainedToken,
  type ObtainTokenInput,
  obtainTokenMutation,
} from '@account-import/http-contract'
import * as t from 'io-ts'
import {
  type Exchanged,
  failureOf,
  isFailure,
  limitedExchange,
  readWhole,
  requestIdOf,
  retryAfterOf,
  send,
} from './exchange.js'
import { type CallOptions, type Failure, ownFailure, serviceFailure } from './result.js'

const graphqlAnswer = t.type({ data: t.type({ obtainToken: obtainedToken }) })
const graphqlFailure = t.type({
  errors: t.array(
    t.intersection([t.type({ message: t.string }), t.partial({ extensions: t.type({ code: t.string }) })]),
  ),
})

/** GraphQL answers refused credentials with 200; these are the statuses that its codes stand for elsewhere. */
const asElsewhere = new Map<string | undefined, readonly [status: number, code: ErrorCode]>([
  [graphqlErrorCodes.authenticationFailed, [401, 'authentication_failed']],
  [graphqlErrorCodes.tooManyAttempts, [429, 'throttled']],
  [graphqlErrorCodes.unavailable, [503, 'service_unavailable']],
  [graphqlErrorCodes.internal, [500, 'error']],
])

const noToken = (exchanged: Exchanged): Failure => {
  const { response, json } = exchanged
  const error = graphqlFailure.is(json) ? json.errors[0] : undefined
  const [status, code] = asElsewhere.get(error?.extensions?.code) ?? []
  // Every service has this address: what is missing is the service.
  if (response.status === 404)
    return ownFailure('unexpected_answer', 'There is no account import service at this address.', {
      status: 404,
      requestId: requestIdOf(response),
    })
  if (error === undefined || status === undefined || code === undefined) return failureOf(exchanged)
  const head = { status, requestId: requestIdOf(response), ...retryAfterOf(response) }
  return serviceFailure({ detail: error.message, code, errors: [] }, head)
}

/** Exchanges an API key or a refresh token for tokens. */
export const obtainToken = async (
  fetch: typeof globalThis.fetch,
  baseUrl: string,
  input: ObtainTokenInput,
  options: CallOptions,
): Promise<ObtainedToken | Failure> => {
  const init = {
    method: graphqlAddress.method,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query: obtainTokenMutation, variables: { input } }),
  }
  const exchanged = await limitedExchange(
    async (signal) => readWhole(await send(fetch, baseUrl + graphqlAddress.path, { ...init, signal })),
    options,
  )
  if (isFailure(exchanged)) return exchanged
  return graphqlAnswer.is(exchanged.json) ? exchanged.json.data.obtainToken : noToken(exchanged)
}

type Kept = Readonly<{ obtained: ObtainedToken; at: number }>

/** Renewed so long before its end, for the time that requests are under way. */
const marginMilliseconds = 60_000
/** A token just obtained is used even when this machine's clock runs ahead and takes it for expired. */
const graceMilliseconds = 30_000

const isFresh = ({ obtained, at }: Kept, now: number): boolean =>
  now < Date.parse(obtained.expiresAt) - marginMilliseconds || now - at < graceMilliseconds

type TokenKeeper = Readonly<{
  /** A token that is still good; several callers at once share one renewal. */
  token: () => Promise<string | Failure>
  /** The service says that this token has expired. */
  discard: (token: string) => void
}>

/** Keeps the token of one API key, and renews it in time: by its refresh token, else by the key. */
export const makeTokenKeeper = (
  apiKey: string,
  obtain: (input: ObtainTokenInput) => Promise<ObtainedToken | Failure>,
): TokenKeeper => {
  let kept: Kept | undefined
  let refreshToken: string | undefined
  let renewal: Promise<string | Failure> | undefined

  const renewed = async (): Promise<ObtainedToken | Failure> => {
    if (refreshToken === undefined) return obtain({ apiKey })
    const refreshed = await obtain({ refreshToken })
    return 'ok' in refreshed && refreshed.status === 401 ? obtain({ apiKey }) : refreshed
  }

  const renew = async (): Promise<string | Failure> => {
    const obtained = await renewed()
    if ('ok' in obtained) return obtained
    kept = { obtained, at: Date.now() }
    refreshToken = obtained.refreshToken
    return obtained.token
  }

  return {
    token: async () => {
      if (kept !== undefined && isFresh(kept, Date.now())) return kept.obtained.token
      renewal ??= renew().finally(() => {
        renewal = undefined
      })
      return renewal
    },
    discard: (token) => {
      if (kept?.obtained.token === token) kept = undefined
    },
  }
}

/** Sends a request with the kept token; one that is refused is renewed once. The body has to be one that can be sent again. */
export type Authorized = (url: string, init: RequestInit) => Promise<Response | Failure>

export const makeAuthorized = (fetch: typeof globalThis.fetch, keeper: TokenKeeper): Authorized => {
  const attempt = async (url: string, init: RequestInit, again: boolean): Promise<Response | Failure> => {
    const token = await keeper.token()
    if (typeof token !== 'string') return token
    const headers = { ...(init.headers as Record<string, string>), Authorization: `Token ${token}` }
    const response = await send(fetch, url, { ...init, headers })
    if (!again || isFailure(response) || response.status !== 401) return response
    // Nobody reads this answer; its connection is free for the next request.
    await response.body?.cancel().catch(() => undefined)
    keeper.discard(token)
    return attempt(url, init, false)
  }
  return (url, init) => attempt(url, init, true)
}
