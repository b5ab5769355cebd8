import type * as t from 'io-ts'
import { notAcceptable, textCodec } from './text-codec.js'

/** So many requests in each window of so many seconds. */
export type RateLimit = Readonly<{ requests: number; seconds: number }>

const most = { requests: 1_000_000, seconds: 86_400 }

const isWithin = (value: number, limit: number): boolean => value >= 1 && value <= limit

/** How many requests in how many seconds, or `off`, which decodes to `undefined`. */
export const rateLimit: t.Decoder<string, RateLimit | undefined> = textCodec<RateLimit | undefined>(
  'rateLimit',
  (text) => {
    if (text === 'off') return undefined
    const [, requests = 0, seconds = 0] = (/^(\d{1,7})\/(\d{1,5})$/.exec(text) ?? []).map(Number)
    return isWithin(requests, most.requests) && isWithin(seconds, most.seconds)
      ? { requests, seconds }
      : notAcceptable(
          `must be off or requests/seconds such as 600/60, at most ${most.requests} in at most ${most.seconds}`,
        )
  },
)
