import type { IncomingHttpHeaders } from 'node:http'
import { VendorFailure } from '../guard/vendor-failure.js'
import { retryAfterSeconds } from './retry-after.js'

/** Statuses below 500 that ask to come again: too slow, too many. */
const comeAgain: ReadonlySet<number> = new Set([408, 429])

/** The failure of a status that says nothing about what was asked; undefined for 200 and for refusals (other 4xx). */
export const failureOfStatus = (status: number, headers: IncomingHttpHeaders): VendorFailure | undefined => {
  const retryAfter = retryAfterSeconds(headers['retry-after'], Date.now())
  if (comeAgain.has(status)) return new VendorFailure('busy', retryAfter)
  if (status >= 500) return new VendorFailure('status', retryAfter)
  if (status >= 300 && status < 400) return new VendorFailure('redirect')
  return status === 200 || status >= 400 ? undefined : new VendorFailure('form')
}
