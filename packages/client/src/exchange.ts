import type { ErrorCode } from '@account-import/core'
import { httpDate, retryAfterSeconds } from '@account-import/core/adapter-kit'
import {
  type Endpoint,
  graphqlAddress,
  graphqlErrorCodes,
  type ObtainedToken,
  obtainedToken,
  type ObtainTokenInput,
  obtainTokenMutation,
  pathOf,
  problemBody,
  readWarnings,
} from '@account-import/http-contract'
import * as t from 'io-ts'
import { LimitedRequest } from './patience.js'
import {
  type CallOptions,
  type Failure,
  noAnswer,
  notOurs,
  ownFailure,
  type Result,
  serviceFailure,
  type Warned,
} from './result.js'

/** `localhost`, 127.0.0.0/8 and [::1]; a URL writes numeric addresses in one form only. */
const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether key and accounts would cross a network unencrypted to this address. */
export const isPlainHttpBeyondLoopback = (baseUrl: string): boolean => {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !loopback.test(hostname)
}

/**
 * The address of a service without slashes at its end. Throws a TypeError for a text that cannot be such an address, and for
 * plain HTTP to another machine unless that is allowed.
 */
export const checkedBaseUrl = (baseUrl: string, allowPlainHttp: boolean): string => {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl is not the address of a service, such as https://import.example/imports')
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw new TypeError(
      'baseUrl has a query, a fragment or credentials; it is an address with a base path alone',
    )
  if (!allowPlainHttp && isPlainHttpBeyondLoopback(baseUrl))
    throw new TypeError(
      'baseUrl is plain http:// to another machine, which would show the API key to the network; use https://, or allowPlainHttp',
    )
  return baseUrl.replace(/\/+$/, '')
}

/**
 * The URL of an endpoint, `undefined` if no URL can contain the parameters: URLs drop the segments `.` and `..` in any spelling,
 * and a lone surrogate has no encoding.
 */
export const addressOf = (
  baseUrl: string,
  address: Pick<Endpoint, 'path'>,
  params: Readonly<Record<string, string>>,
): string | undefined => {
  const values = Object.values(params)
  if (values.some((value) => value === '' || value === '.' || value === '..')) return undefined
  try {
    return baseUrl + pathOf(address, params)
  } catch (cause) {
    if (cause instanceof URIError) return undefined
    throw cause
  }
}

/** The response, its body, and that as JSON, else `undefined`. */
type Exchanged = Readonly<{ response: Response; text: string; json: unknown }>

export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // Callers treat `undefined` as a response that is not from this service.
    return undefined
  }
}

export const isFailure = <A extends object>(outcome: A | Failure): outcome is Failure => 'problem' in outcome

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Browsers hide status and headers of a redirect; other runtimes return them. */
const isRedirect = ({ status, type }: Response): boolean => type === 'opaqueredirect' || redirects.has(status)

/** Scheme and host of the target of a redirect. */
const placeOf = ({ headers }: Response, url: string): string => {
  const location = headers.get('Location')
  if (location === null || !URL.canParse(location, url)) return 'another address'
  const { origin, protocol } = new URL(location, url)
  return origin === 'null' ? protocol : origin
}

const redirected = (response: Response, url: string): Failure =>
  ownFailure(
    'redirected',
    `The service answered with a redirect to ${placeOf(response, url)}; the client does not follow redirects, so that the API ` +
      'key goes nowhere else.',
    { status: response.status },
  )

/**
 * Sends one request, and returns the response with its body unread. Every request of the client is sent here: a redirect is a
 * failure, so key, token and accounts reach only the service that the caller has named.
 */
const send = async (
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
): Promise<Response | Failure> => {
  try {
    // The mode 'error' would hide the target.
    const response = await fetch(url, { ...init, redirect: 'manual' })
    if (!isRedirect(response)) return response
    await response.body?.cancel().catch(() => undefined)
    return redirected(response, url)
  } catch (cause) {
    return noAnswer(cause)
  }
}

/** Reads the whole answer. */
export const readWhole = async (response: Response | Failure): Promise<Exchanged | Failure> => {
  if (isFailure(response)) return response
  try {
    const text = await response.text()
    return { response, text, json: jsonOf(text) }
  } catch (cause) {
    return noAnswer(cause)
  }
}

/** A whole exchange, which ends when its caller aborts it, or when the service is silent for too long. */
export const limitedExchange = async (
  exchange: (signal: AbortSignal) => Promise<Exchanged | Failure>,
  options: CallOptions = {},
): Promise<Exchanged | Failure> => {
  const limited = new LimitedRequest(options)
  try {
    const outcome = await limited.wait(exchange(limited.signal))
    return isFailure(outcome) ? limited.explain(outcome) : outcome
  } catch (cause) {
    return limited.explain(noAnswer(cause))
  } finally {
    limited.end()
  }
}

/** The seconds of `Retry-After`, if the response has it. */
const retryAfterOf = ({ headers }: Response): Pick<Failure, 'retryAfterSeconds'> => {
  const now = Date.now()
  // Both times of a date are by the clock of the sender.
  const seconds = retryAfterSeconds(
    headers.get('Retry-After'),
    httpDate(headers.get('Date') ?? '', now) ?? now,
  )
  return seconds === undefined ? {} : { retryAfterSeconds: seconds }
}

const requestIdOf = ({ headers }: Response): string => headers.get('X-Request-Id') ?? ''

const warnedOf = ({ headers }: Response): Warned => ({
  warnings: readWarnings(headers.get('Import-Warnings')),
  warningsTotal: Number(headers.get('Import-Warnings-Total') ?? 0),
})

/** A problem as a failure; any other response is not one of this service. */
export const failureOf = ({ response, text, json }: Exchanged): Failure => {
  const shared = {
    status: response.status,
    requestId: requestIdOf(response),
    ...warnedOf(response),
    ...retryAfterOf(response),
  }
  return problemBody.is(json) ? serviceFailure(json, shared) : notOurs(response, text, shared)
}

/** Reads an answer by the endpoint's statuses and body. */
export const readAnswer = <Success>(
  called: Pick<Endpoint<Success>, 'statuses' | 'success'>,
  exchanged: Exchanged,
): Result<Success> => {
  const { response, json } = exchanged
  if (!called.statuses.includes(response.status) || !called.success.is(json)) return failureOf(exchanged)
  return {
    ok: true,
    status: response.status,
    body: json,
    ...warnedOf(response),
    requestId: requestIdOf(response),
  }
}

const graphqlAnswer = t.type({ data: t.type({ obtainToken: obtainedToken }) })
const graphqlFailure = t.type({
  errors: t.array(
    t.intersection([t.type({ message: t.string }), t.partial({ extensions: t.type({ code: t.string }) })]),
  ),
})

/** GraphQL answers refused credentials with 200; these are the statuses and codes of other endpoints for its codes. */
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
  // Every account import service has this address, so there is no such service here.
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
const obtainToken = async (
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

/** Time before its expiry at which a token is renewed, as requests take time. */
const marginMilliseconds = 60_000
/** Time for which a new token is used even if a fast clock of this machine shows it as expired. */
const graceMilliseconds = 30_000

const isFresh = ({ obtained, at }: Kept, now: number): boolean =>
  now < Date.parse(obtained.expiresAt) - marginMilliseconds || now - at < graceMilliseconds

type Renewal = { readonly outcome: Promise<string | Failure>; readonly end: () => void; waiting: number }

type Obtain = (input: ObtainTokenInput, signal: AbortSignal) => Promise<ObtainedToken | Failure>

/** Caches the token of one API key, and renews it in time: by its refresh token, else by the key. */
const makeTokenKeeper = (apiKey: string, obtain: Obtain) => {
  let kept: Kept | undefined
  let refreshToken: string | undefined
  let renewal: Renewal | undefined

  const renewed = async (signal: AbortSignal): Promise<ObtainedToken | Failure> => {
    if (refreshToken === undefined) return obtain({ apiKey }, signal)
    const refreshed = await obtain({ refreshToken }, signal)
    return 'ok' in refreshed && refreshed.status === 401 ? obtain({ apiKey }, signal) : refreshed
  }

  const renew = async (signal: AbortSignal): Promise<string | Failure> => {
    const obtained = await renewed(signal)
    if ('ok' in obtained) return obtained
    kept = { obtained, at: Date.now() }
    refreshToken = obtained.refreshToken
    return obtained.token
  }

  const begun = (): Renewal => {
    const controller = new AbortController()
    const own: Renewal = {
      waiting: 0,
      end: () => {
        if (renewal === own) renewal = undefined
        // The service may have accepted it already: used again, it would count as stolen. The next renewal uses the key.
        refreshToken = undefined
        controller.abort()
      },
      outcome: renew(controller.signal).finally(() => {
        if (renewal === own) renewal = undefined
      }),
    }
    return own
  }

  return {
    /** A valid token. Concurrent callers share one renewal, which is aborted once all of their signals have aborted. */
    token: async (signal: AbortSignal | null | undefined): Promise<string | Failure> => {
      if (kept !== undefined && isFresh(kept, Date.now())) return kept.obtained.token
      renewal ??= begun()
      const shared = renewal
      shared.waiting += 1
      const leave = (): void => {
        shared.waiting -= 1
        if (shared.waiting === 0) shared.end()
      }
      signal?.addEventListener('abort', leave)
      if (signal?.aborted === true) leave()
      return shared.outcome.finally(() => signal?.removeEventListener('abort', leave))
    },
    /** Drops a token that the service has refused. */
    discard: (token: string): void => {
      if (kept?.obtained.token === token) kept = undefined
    },
  }
}

/**
 * Sends a request with the cached token, and once again with a new one if it is refused; without an API key as it is. The body must
 * be repeatable.
 */
export type Authorized = (url: string, init: RequestInit) => Promise<Response | Failure>

export const makeAuthorized = (
  fetch: typeof globalThis.fetch,
  base: string,
  apiKey: string | undefined,
  limits: CallOptions,
): Authorized => {
  if (apiKey === undefined) return (url, init) => send(fetch, url, init)
  const keeper = makeTokenKeeper(apiKey, (input, signal) =>
    obtainToken(fetch, base, input, { ...limits, signal }),
  )
  const attempt = async (url: string, init: RequestInit, again: boolean): Promise<Response | Failure> => {
    const token = await keeper.token(init.signal)
    if (typeof token !== 'string') return token
    const headers = { ...(init.headers as Record<string, string>), Authorization: `Token ${token}` }
    const response = await send(fetch, url, { ...init, headers })
    if (!again || isFailure(response) || response.status !== 401) return response
    // This response is discarded, so that its connection is free for the next request.
    await response.body?.cancel().catch(() => undefined)
    keeper.discard(token)
    return attempt(url, init, false)
  }
  return (url, init) => attempt(url, init, true)
}
