import type { CallOptions } from './call-options.js'
import { LimitedRequest } from './limited-request.js'
import { ownFailure, type Failure } from './result.js'

/** What came back: the head of an answer, and its body if that is JSON, else `undefined`. */
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
