import { type Endpoint, pathOf, problemBody, readWarnings } from '@account-import/http-contract'
import { LimitedRequest } from './patience.js'
import {
  type CallOptions,
  type Failure,
  ownFailure,
  type Result,
  serviceFailure,
  type Warned,
} from './result.js'

/** `localhost`, 127.0.0.0/8 and [::1]; a URL writes numeric addresses in one form only. */
const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether key and accounts would cross a network unencrypted on their way to this address. */
export const isPlainHttpBeyondLoopback = (baseUrl: string): boolean => {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !loopback.test(hostname)
}

/**
 * The address of a service without the slashes at its end. Throws a TypeError for what cannot be one, as no request could ever
 * be answered, and for plain HTTP to another machine unless that is allowed.
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
 * The URL of an endpoint, `undefined` where no URL can carry the parameters: URLs drop the segments `.` and `..`
 * however they are written, and half a character pair has no encoding.
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

/** The answer: its head, and its body if that is JSON, else `undefined`. */
export type Exchanged = Readonly<{ response: Response; json: unknown }>

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // Callers take `undefined` for an answer that is not from this service.
    return undefined
  }
}

const noAnswer = (cause: unknown): Failure =>
  ownFailure('network', 'The service did not answer, or its answer broke off.', { cause })

export const isFailure = <A extends object>(outcome: A | Failure): outcome is Failure => 'problem' in outcome

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Browsers show of a redirect only that it was one; elsewhere the head of the answer is there. */
const isRedirect = ({ status, type }: Response): boolean => type === 'opaqueredirect' || redirects.has(status)

/** Scheme and host of the place that a redirect names. */
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
 * Sends one request; the head of its answer is there, the body still to be read. This is the only place that sends anything:
 * a redirect is a failure, so key, token and accounts reach nobody but the service that the caller has named.
 */
export const send = async (
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
): Promise<Response | Failure> => {
  try {
    // Not 'error', which does not tell where to.
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
    return { response, json: jsonOf(await response.text()) }
  } catch (cause) {
    return noAnswer(cause)
  }
}

/** A whole exchange, which ends when its caller wants that, or when the service is silent for too long. */
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

/** The seconds of `Retry-After`, where the service says so. */
export const retryAfterOf = ({ headers }: Response): Pick<Failure, 'retryAfterSeconds'> => {
  const seconds = Number.parseInt(headers.get('Retry-After') ?? '', 10)
  return Number.isNaN(seconds) ? {} : { retryAfterSeconds: seconds }
}

export const requestIdOf = ({ headers }: Response): string => headers.get('X-Request-Id') ?? ''

const warnedOf = ({ headers }: Response): Warned => ({
  warnings: readWarnings(headers.get('Import-Warnings')),
  warningsTotal: Number(headers.get('Import-Warnings-Total') ?? 0),
})

/** A problem as a failure; any other answer is not one of this service. */
export const failureOf = ({ response, json }: Exchanged): Failure => {
  const shared = {
    status: response.status,
    requestId: requestIdOf(response),
    ...warnedOf(response),
    ...retryAfterOf(response),
  }
  return problemBody.is(json)
    ? serviceFailure(json, shared)
    : ownFailure('unexpected_answer', 'This is not an answer of the account import service.', shared)
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
