import { VendorFailure, type VendorFailureKind } from '../guard/vendor-failure.js'
import { addressRefused } from './guarded-lookup.js'

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

/** What a failed exchange over the network means; throws what is a bug in our code. */
export const failureOf = (cause: unknown): VendorFailure => {
  if (cause instanceof VendorFailure) return cause
  const code = codeOf(cause)
  if (isOurs(code)) throw cause
  const known = kinds[code]
  if (known !== undefined) return new VendorFailure(known)
  if (certificate.test(code)) return new VendorFailure('certificate')
  return new VendorFailure(isNoHttp(code) ? 'form' : 'connection')
}
