import { databaseUrlFault } from '@account-import/adapter-sql/urls'
import { countryCodes, isTimeZone } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'

/** Why a text is not acceptable: completes the sentence that begins with the name of the variable. */
export type NotAcceptable = Readonly<{ problem: string }>

export const notAcceptable = (problem: string): NotAcceptable => ({ problem })

const isNotAcceptable = (read: unknown): read is NotAcceptable =>
  typeof read === 'object' && read !== null && 'problem' in read

/** A codec from the text of an environment variable; what `read` refuses becomes the message of the failure. */
export const textCodec = <A>(name: string, read: (text: string) => A | NotAcceptable): t.Decoder<string, A> =>
  new t.Type<A, A, string>(
    name,
    (u): u is A => u !== undefined,
    (text, context) => {
      const value = read(text)
      return isNotAcceptable(value) ? t.failure(text, context, value.problem) : t.success(value)
    },
    t.identity,
  )

/** Any text without the character that ends file names. */
export const text = textCodec<string>('text', (given) =>
  given.includes('\0') ? notAcceptable('must not hold a null character') : given,
)

/** `on` is true, `off` is false. */
export const onOff = textCodec<boolean>('onOff', (text) =>
  text === 'on' || text === 'off' ? text === 'on' : notAcceptable('must be on or off'),
)

/** A whole number in plain decimal digits within the limits, both included. */
export const wholeNumber = (least: number, most: number) =>
  textCodec<number>('wholeNumber', (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN
    return value >= least && value <= most
      ? value
      : notAcceptable(`must be a whole number from ${least} to ${most}`)
  })

/** The codec for a variable that has no default: empty is `undefined`. */
export const optional = <A>(codec: t.Decoder<string, A>): t.Decoder<string, A | undefined> => ({
  name: `optional ${codec.name}`,
  validate: (text, context) => (text === '' ? t.success(undefined) : codec.validate(text, context)),
  decode: (text) => (text === '' ? t.success(undefined) : codec.decode(text)),
})

const largest = 10_000

/** How many at once, or `off`, which decodes to `undefined`. */
export const limit: t.Decoder<string, number | undefined> = textCodec<number | undefined>('limit', (text) => {
  if (text === 'off') return undefined
  const number = wholeNumber(1, largest).decode(text)
  return number._tag === 'Right'
    ? number.right
    : notAcceptable(`must be off or a whole number from 1 to ${largest}`)
})

/** An address or name to listen on, without a port. */
export const host = textCodec<string>('host', (text) =>
  /^[A-Za-z0-9._:%-]+$/.test(text)
    ? text
    : notAcceptable('must be an IP address or a host name such as 127.0.0.1 or 0.0.0.0'),
)

/** An ISO 3166-1 alpha-2 code, in capitals. */
export const country = textCodec<string>(
  'country',
  (text) =>
    countryCodes.find((code) => code === text) ??
    notAcceptable('must be a two-letter country code in capitals such as ES'),
)

/** An IANA time zone name that this runtime knows. Offsets such as `+01:00` have no summer time: refused. */
export const timeZone = textCodec<string>('timeZone', (text) =>
  /^[A-Za-z]/.test(text) && isTimeZone(text)
    ? text
    : notAcceptable('must be an IANA time zone such as Europe/Madrid'),
)

/** Segments of unreserved characters that each begin with a slash; `/` alone is the empty prefix. */
export const basePath = textCodec<string>('basePath', (text) => {
  const path = text.replace(/\/$/, '')
  return /^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)*$/.test(path)
    ? path
    : notAcceptable('must be a path such as /migration, made of letters, digits and . _ ~ -')
})

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export const logLevel = textCodec<LogLevel>(
  'logLevel',
  (text) =>
    logLevels.find((level) => level === text) ?? notAcceptable(`must be one of ${logLevels.join(', ')}`),
)

/** An `Origin` as a browser sends it: scheme and host, the port where it is not that of the scheme, nothing after it. */
const isOrigin = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.origin === text
}

/** Origins with commas between them; empty: none. */
export const origins = textCodec<readonly string[]>('origins', (text) => {
  const all = text === '' ? [] : text.split(',').map((each) => each.trim())
  return all.every(isOrigin)
    ? [...new Set(all)]
    : notAcceptable(
        'must be origins such as https://app.example, with commas between them, in lower case and without a path',
      )
})

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

/**
 * Where the data is kept. `embedded` is SQLite in a file (`:memory:` keeps nothing), `server` is MySQL, MariaDB
 * or Galera, on one host or several; what is not this machine is reached by verified TLS unless `?tls=off`. The text may hold a password: it is never shown.
 */
export type DatabaseUrl = Readonly<{ kind: 'embedded' | 'server'; url: string }>

export const databaseUrl = textCodec<DatabaseUrl>('databaseUrl', (text) => {
  const fault = databaseUrlFault(text)
  if (fault !== undefined) return notAcceptable(fault)
  return { kind: text.startsWith('sqlite:') ? 'embedded' : 'server', url: text }
})
