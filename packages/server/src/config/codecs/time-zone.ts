import { isTimeZone } from '@account-import/core/adapter-kit'
import { notAcceptable, textCodec } from './text-codec.js'

/** An IANA time zone name that this runtime knows. Offsets such as `+01:00` have no summer time: refused. */
export const timeZone = textCodec<string>('timeZone', (text) =>
  /^[A-Za-z]/.test(text) && isTimeZone(text)
    ? text
    : notAcceptable('must be an IANA time zone such as Europe/Madrid'),
)
