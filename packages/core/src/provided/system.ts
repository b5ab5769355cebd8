import { E } from '../fp.js'
import type { Clock, Secrets } from '../ports/secrets.js'
import type { PlatformAccountNumbers } from '../ports/accounts.js'
import { instantOf } from '../values/instant.js'

/** Crockford's base 32: digits and capitals without I, L, O and U, so that a number can be read out. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Nine of the twelve characters are random for a block, and three count the numbers in it. */
const drawn = 9
const blockSize = 32 ** 3

const randomBlock = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(drawn)), (byte) => digits[byte & 31]).join('')

const ordinalText = (ordinal: number): string =>
  [10, 5, 0].map((shift) => digits[(ordinal >> shift) & 31]).join('')

/** Counts from the beginning of a random block. */
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
 * `A-` and 12 characters, ascending for 32 768 numbers in a row, then from another random block: 45 bits, so that a repetition
 * among a million blocks is unlikely (1 in 70). Rows of accounts that are created together are then adjacent; with random numbers
 * each row of a large database would be on a page of its own. The store refuses a number that it has, so a repetition is a failed
 * attempt; the client may send the request again.
 */
export const randomPlatformAccountNumbers: PlatformAccountNumbers = {
  next: async () => E.right(next()),
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Base64url without padding: six bits a character. */
const base64url = (bytes: Uint8Array): string => {
  let text = ''
  for (let index = 0; index < bytes.length; index += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(index, index + 3)
    const group = (a << 16) | (b << 8) | c
    const characters = Math.min(bytes.length - index, 3) + 1
    for (let place = 0; place < characters; place++) text += alphabet[(group >> (18 - 6 * place)) & 63]
  }
  return text
}

const hex = (buffer: ArrayBuffer): string =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Secrets by the Web Crypto API, which Node, Deno, Bun and browsers have. */
export const webCryptoSecrets: Secrets = {
  generate: () => base64url(crypto.getRandomValues(new Uint8Array(32))),
  hash: async (secret) => hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))),
}

/** Most milliseconds that a steady clock is ahead of the wall clock. */
const mostAhead = 300_000

/**
 * A clock that does not go back when the wall clock is set back by up to five minutes: it follows `wall` (milliseconds since 1970)
 * forward, and advances by `elapsed` (milliseconds from any moment on, never decreasing) while `wall` is behind. So a small
 * correction prolongs no expiry, and time does not stop meanwhile. If `wall` is further behind, the clock was wrong before: it
 * follows `wall` back, and calls `onWentBack` with the milliseconds.
 */
export const steadyClock = (
  wall: () => number,
  elapsed: () => number,
  onWentBack: (milliseconds: number) => void = () => undefined,
): Required<Clock> => {
  let [latest, latestAt] = [-Infinity, 0]
  // The text is kept for its millisecond: a request asks for the time about ten times.
  let [millisecond, text] = [Number.NaN, instantOf(0)]
  return {
    now: () => {
      const [at, shown] = [elapsed(), wall()]
      const held = latest + (at - latestAt)
      latest = held - shown > mostAhead ? shown : Math.max(shown, held)
      latestAt = at
      if (latest < held) onWentBack(held - latest)
      if (Math.trunc(latest) !== millisecond) {
        millisecond = Math.trunc(latest)
        text = instantOf(millisecond)
      }
      return text
    },
    wall: () => instantOf(wall()),
  }
}

/** The machine's clock by `steadyClock`. */
export const machineClock = (onWentBack?: (milliseconds: number) => void): Required<Clock> =>
  steadyClock(
    () => Date.now(),
    () => performance.now(),
    onWentBack,
  )

/** The machine's clock, for programs with one service. */
export const systemClock: Clock = machineClock()
