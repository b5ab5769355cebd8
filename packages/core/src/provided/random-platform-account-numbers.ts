import { TE } from '../fp.js'
import type { PlatformAccountNumbers } from '../ports/platform-account-numbers.js'

/** Crockford's base 32: digits and capitals without I, L, O and U, so that a number can be read out. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Of the twelve characters nine are drawn for a block, and three count the numbers in it. */
const drawn = 9
const blockSize = 32 ** 3

const randomBlock = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(drawn)), (byte) => alphabet[byte & 31]).join('')

const ordinalText = (ordinal: number): string =>
  [10, 5, 0].map((shift) => alphabet[(ordinal >> shift) & 31]).join('')

/** Counts from the beginning of a block that is drawn now. */
const numbersInBlocks = (): (() => string) => {
  let block = ''
  let ordinal = blockSize
  return () => {
    if (ordinal === blockSize) {
      block = randomBlock()
      ordinal = 0
    }
    return `A-${block}${ordinalText(ordinal++)}`
  }
}

const next = numbersInBlocks()

/**
 * `A-` and 12 characters, in ascending order for 32 768 numbers on end, then from another place that is drawn: 45 bits, so
 * that among a million such blocks a repeat is unlikely (1 in 70). Rows of accounts that are created together then lie
 * together; among numbers drawn one by one each row of a large database would lie on a page of its own. The store
 * refuses a number that it has, which makes a repeat a failed attempt; the client may send the request again.
 */
export const randomPlatformAccountNumbers: PlatformAccountNumbers = {
  next: () => TE.fromIO(next),
}
