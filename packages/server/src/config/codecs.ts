import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  parseSigningKey,
  parseVerificationKeys,
  type SigningKey,
  type VerificationKey,
} from '@account-import/adapter-access-tokens'
import {
  bundledTemplates,
  type EmailTemplates,
  type MailSender,
  parseMailSender,
  readTemplates,
  type SmtpServer,
} from '@account-import/adapter-email'
import { type EncryptionKey, parseEncryptionKeys } from '@account-import/adapter-sql/keys'
import { databaseUrlFault } from '@account-import/adapter-sql/urls'
import { countryCodes, isLoopback, isTimeZone } from '@account-import/core/adapter-kit'
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

/** What a browser sends as `Origin`: scheme and host, the port where it is not that of the scheme, nothing after it. */
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

const fewestCharacters = 32

/** Secrets that the record is sealed with, the first one for new entries; never shown. None where the text is empty. */
export const auditKeys = textCodec<readonly string[]>('auditKeys', (text) => {
  const keys = text.split(/[\s,]+/).filter((part) => part !== '')
  const areKeys = keys.every((key) => key.length >= fewestCharacters)
  return areKeys && new Set(keys).size === keys.length && (keys.length > 0 || text === '')
    ? keys
    : notAcceptable(
        `must be keys of at least ${fewestCharacters} characters, each once, with commas or blanks between them. ` +
          'Make one with: openssl rand -base64 32',
      )
})

/** Keys that data keys are wrapped with, the first one for new data; their text is secret and never shown. */
export const encryptionKeys = textCodec<readonly [EncryptionKey, ...EncryptionKey[]]>(
  'encryptionKeys',
  (text) =>
    parseEncryptionKeys(text) ??
    notAcceptable(
      'must be keys of 32 bytes in base64, each once, with commas or blanks between them. Make one with: openssl rand -base64 32',
    ),
)

/** The key that signs access tokens; its text is secret and never shown. */
export const signingKey = textCodec<SigningKey>(
  'signingKey',
  (text) =>
    parseSigningKey(text) ??
    notAcceptable('must be base64 of at least 32 bytes, or a PKCS#8 PEM of an Ed25519 private key'),
)

/** Keys whose access tokens are accepted besides those of the signing key; their text is secret and never shown. */
export const verificationKeys = textCodec<readonly VerificationKey[]>(
  'verificationKeys',
  (text) =>
    parseVerificationKeys(text) ??
    notAcceptable(
      'must be keys as for TOKEN_SIGNING_KEY, or PEMs of Ed25519 public keys, with commas or blanks between them',
    ),
)

/** What a part of a URL says; undefined where its percent-encoding is none. */
const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Where documents lie: in a folder, or in a bucket of MinIO or S3. The text may hold a secret: it is never shown. */
export type DocumentStorageUrl =
  | Readonly<{ kind: 'folder'; path: string }>
  | Readonly<{
      kind: 'bucket'
      endpoint: string
      accessKey: string
      secretKey: string
      bucket: string
      /** Where the bucket is, which requests are signed for; absent: as MinIO has it. */
      region?: string
    }>

/** What S3 and MinIO take as the name of a bucket. */
const bucketName = /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?$/

const regionName = /^[a-z0-9][a-z0-9-]{0,62}$/

/** Region and TLS; undefined where there is anything else, or anything twice. */
const bucketParametersOf = (
  search: URLSearchParams,
): Readonly<{ region: string | undefined; isPlain: boolean }> | undefined => {
  const { region, tls, ...others } = Object.fromEntries(search)
  const isOnce = search.size === Number(region !== undefined) + Number(tls !== undefined)
  if (Object.keys(others).length > 0 || !isOnce) return undefined
  if (tls !== undefined && tls !== 'off') return undefined
  if (region !== undefined && !regionName.test(region)) return undefined
  return { region, isPlain: tls === 'off' }
}

/** `file:<folder>`, or the same as a URL with three slashes. */
const folderOf = (text: string): DocumentStorageUrl | undefined => {
  const path = text.slice('file:'.length).replace(/^\/\/(?=\/)/, '')
  return path === '' || path.startsWith('//') || path.includes('\0') ? undefined : { kind: 'folder', path }
}

const bucketOf = (text: string): DocumentStorageUrl | undefined => {
  const address = text.slice('s3+'.length)
  if (!/^s3\+https?:\/\//.test(text) || !URL.canParse(address)) return undefined
  const { origin, protocol, hostname, username, password, pathname, searchParams, hash } = new URL(address)
  const [accessKey, secretKey] = [decoded(username), decoded(password)]
  const bucket = bucketName.exec(pathname)?.[1]
  const parameters = bucketParametersOf(searchParams)
  if (!accessKey || !secretKey || bucket === undefined || hash !== '') return undefined
  if (parameters === undefined || (parameters.isPlain && protocol !== 'http:')) return undefined
  if (protocol === 'http:' && !parameters.isPlain && !isLoopback(hostname)) return undefined
  const { region } = parameters
  return { kind: 'bucket', endpoint: origin, accessKey, secretKey, bucket, ...(region && { region }) }
}

export const documentStorageUrl = textCodec<DocumentStorageUrl>(
  'documentStorageUrl',
  (text) =>
    (text.startsWith('file:') ? folderOf(text) : bucketOf(text)) ??
    notAcceptable(
      'must be file:<folder>, or s3+https://<key>:<secret>@<host>:<port>/<bucket>,' +
        ' special characters percent-encoded, with ?region=<region> unless it is us-east-1;' +
        ' without TLS s3+http:// on this machine, and s3+http://…?tls=off elsewhere',
    ),
)

/** The certificates (PEM) of the file; undefined where it cannot be read or holds none. What Node says of it would quote it. */
const authoritiesIn = (path: string): string | undefined => {
  try {
    const text = readFileSync(path, 'utf8')
    return new X509Certificate(text).toString() === '' ? undefined : text
  } catch {
    return undefined
  }
}

const credentialsOf = ({ username, password }: URL): SmtpServer['credentials'] | 'not_readable' => {
  if (username === '' && password === '') return undefined
  const [user, secret] = [decoded(username), decoded(password)]
  return user && secret ? { user, password: secret } : 'not_readable'
}

type SmtpParameters = Readonly<{ tls: SmtpServer['tls']; file: string | undefined }>

/** How a URL of either scheme speaks TLS, and the file of the authorities to trust; plain text only where it is asked for. */
const smtpParametersOf = ({ protocol, searchParams }: URL): SmtpParameters | undefined => {
  const { tls, 'tls-ca': file, ...others } = Object.fromEntries(searchParams)
  const isOnce = searchParams.size === Number(tls !== undefined) + Number(file !== undefined)
  if (Object.keys(others).length > 0 || !isOnce) return undefined
  if (tls === undefined) return { tls: protocol === 'smtps:' ? 'implicit' : 'required', file }
  return tls === 'off' && protocol === 'smtp:' && file === undefined ? { tls, file } : undefined
}

const defaultPorts: Readonly<Record<SmtpServer['tls'], number>> = { implicit: 465, required: 587, off: 25 }

const smtpServerOf = (text: string): SmtpServer | 'no_authorities' | undefined => {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const [parameters, credentials] = [smtpParametersOf(url), credentialsOf(url)]
  if (parameters === undefined || credentials === 'not_readable') return undefined
  if (url.hostname === '' || url.hash !== '' || !['', '/'].includes(url.pathname)) return undefined
  const { tls, file } = parameters
  const authorities = file === undefined ? undefined : authoritiesIn(file)
  if (file !== undefined && authorities === undefined) return 'no_authorities'
  const port = url.port === '' ? defaultPorts[tls] : Number(url.port)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return { host, port, tls, credentials, ...(authorities !== undefined && { authorities }) }
}

/** Where e-mails are handed over. The text may hold a password: it is never shown. */
export const smtpUrl = textCodec<SmtpServer>('smtpUrl', (text) => {
  const server = smtpServerOf(text)
  if (server === 'no_authorities')
    return notAcceptable('has a tls-ca that is no file of certificates (PEM) that can be read')
  return (
    server ??
    notAcceptable(
      'must be smtp://<user>:<password>@<host>:<port> (STARTTLS, or nothing is sent), smtps://… (TLS at once), or' +
        ' smtp://…?tls=off (plain text), user and password percent-encoded or left out; ?tls-ca=<file> names an authority',
    )
  )
})

/** Who e-mails are from. */
export const mailFrom = textCodec<MailSender>(
  'mailFrom',
  (text) => parseMailSender(text) ?? notAcceptable('must be an e-mail address, or Name <address>'),
)

/** The bundled templates, or those with a folder's in their place. */
export const mailTemplates = textCodec<EmailTemplates>('mailTemplates', (folder) => {
  if (folder === '') return bundledTemplates
  const read = readTemplates(folder)
  return read._tag === 'Right'
    ? read.right
    : notAcceptable(
        'must be a folder that can be read, with a folder of templates for each language' +
          (read.left.length === 0 ? '' : `: ${read.left.join('; ')}`),
      )
})
