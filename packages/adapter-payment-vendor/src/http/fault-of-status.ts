import type { IncomingHttpHeaders } from 'node:http'
import { VendorFault } from '../guard/vendor-fault.js'
import { retryAfterSeconds } from './retry-after.js'

/** Statuses below 500 that ask to come again: too slow, too many. */
const comeAgain: ReadonlySet<number> = new Set([408, 429])

/** The fault of a status that says nothing about what was asked; undefined for 200 and for refusals (other 4xx). */
export const faultOfStatus = (status: number, headers: IncomingHttpHeaders): VendorFault | undefined => {
  const retryAfter = retryAfterSeconds(headers['retry-after'], Date.now())
  if (comeAgain.has(status)) return new VendorFault('busy', retryAfter)
  if (status >= 500) return new VendorFault('status', retryAfter)
  if (status >= 300 && status < 400) return new VendorFault('redirect')
  return status === 200 || status >= 400 ? undefined : new VendorFault('form')
}
