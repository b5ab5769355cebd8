import type { IncomingHttpHeaders } from 'node:http'
import { VendorFailure, type VendorFailureKind } from '../guard/vendor-failure.js'
import { addressRefused } from './addresses.js'

const most = 3600

/** Whole seconds, 1 to 3600, of a `Retry-After` header in either of its forms; undefined where there is none. */
const retryAfterSeconds = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined
  const text = header.trim()
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(most, Math.max(1, seconds))
}

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

const kinds: Readonly<Record<string, VendorFailureKind>> = {
  ENOTFOUND: 'name',
  ENODATA: 'name',
  EAI_AGAIN: 'name_lookup',
  ETIMEDOUT: 'time',
  ABORT_ERR: 'time',
  [addressRefused]: 'address',
}

/** How Node.js names the reasons for which OpenSSL refuses a certificate. */
const certificate =
  /CERT|^UNABLE_TO_(?:GET|VERIFY|DECODE|DECRYPT)_|_SIGNATURE|^HOSTNAME_MISMATCH$|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''

/** The parser refuses what is no HTTP, or headers that are too long. */
const isNoHttp = (code: string): boolean => code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE'

/** Errors that are ours and not the network's: no code, or an argument that Node.js refuses. */
const isOurs = (code: string): boolean => code === '' || code.startsWith('ERR_INVALID_')

/** The meaning of a failed exchange over the network; throws what is a bug in our code. */
export const failureOf = (cause: unknown): VendorFailure => {
  if (cause instanceof VendorFailure) return cause
  const code = codeOf(cause)
  if (isOurs(code)) throw cause
  const known = kinds[code]
  if (known !== undefined) return new VendorFailure(known)
  if (certificate.test(code)) return new VendorFailure('certificate')
  return new VendorFailure(isNoHttp(code) ? 'form' : 'connection')
}
