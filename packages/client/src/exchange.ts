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

/** Sends one request and reads its whole answer. */
export const exchange = async (
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
): Promise<Exchanged | Failure> => {
  try {
    const response = await fetch(url, init)
    return { response, json: jsonOf(await response.text()) }
  } catch (cause) {
    return ownFailure('network', 'The service did not answer, or its answer broke off.', { cause })
  }
}

/** The seconds of `Retry-After`, where the service says so. */
export const retryAfterOf = ({ headers }: Response): Pick<Failure, 'retryAfterSeconds'> => {
  const seconds = Number.parseInt(headers.get('Retry-After') ?? '', 10)
  return Number.isNaN(seconds) ? {} : { retryAfterSeconds: seconds }
}

export const requestIdOf = ({ headers }: Response): string => headers.get('X-Request-Id') ?? ''
