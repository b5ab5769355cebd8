import { TE } from '../fp.js'
import type { PlatformAccountNumbers } from '../ports/platform-account-numbers.js'

/** Crockford's base 32: digits and capitals without I, L, O and U, so that a number can be read out. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const randomNumber = (): string =>
  `A-${Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => alphabet[byte & 31]).join('')}`

/**
 * `A-` and 12 random characters: 60 bits, so that even among a billion accounts a repeat is less likely than not. The
 * store refuses a number that it has, which makes a repeat a failed attempt; the client may send the request again.
 */
export const randomPlatformAccountNumbers: PlatformAccountNumbers = {
  next: () => TE.fromIO(randomNumber),
}
