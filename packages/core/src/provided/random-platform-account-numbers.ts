import { TE } from '../fp.js'
import type { PlatformAccountNumbers } from '../ports/platform-account-numbers.js'

/** Crockford's base 32: digits and capitals without I, L, O and U, so that a number can be read out. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const randomNumber = (): string =>
  `A-${Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => alphabet[byte & 31]).join('')}`

/**
 * `A-` and 12 random characters: 60 bits, so that a billion accounts meet a repeat with a chance below one in
 * two; the store's unique key turns a repeat into a failed attempt that may be sent again.
 */
export const randomPlatformAccountNumbers: PlatformAccountNumbers = {
  next: () => TE.fromIO(randomNumber),
}
