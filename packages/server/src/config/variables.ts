import { parseSigningKey, parseVerificationKeys } from '@account-import/adapter-access-tokens'
import {
  bundledTemplates,
  type EmailTemplates,
  parseMailSender,
  readTemplates,
} from '@account-import/adapter-email'
import { distance } from '@account-import/account-files'
import { parseEncryptionKeys } from '@account-import/adapter-sql/keys'
import { E } from '@account-import/core/fp'
import * as t from 'io-ts'
import { type ConfigFault, type Environment, ruleVariables, textCodec, textOf } from '@account-import/cli/kit'
import { paymentVendors } from './payment-vendors.js'
import { databaseUrl, documentStorageUrl, smtpUrl } from './urls.js'

/** Any text without the character that ends file names. */
const text = textOf('must not contain a null character', (given) =>
  given.includes('\0') ? undefined : given,
)

const matching = (problem: string, form: RegExp): t.Decoder<string, string> =>
  textOf(problem, (given) => (form.test(given) ? given : undefined))

/** `on` is true, `off` is false. */
const onOff = textOf('must be on or off', (given) =>
  given === 'on' || given === 'off' ? given === 'on' : undefined,
)

const numberIn = (given: string, least: number, most: number): number | undefined => {
  const value = /^\d{1,9}$/.test(given) ? Number(given) : NaN
  return value >= least && value <= most ? value : undefined
}

/** A whole number in plain decimal digits within the limits, both included. */
const wholeNumber = (least: number, most: number): t.Decoder<string, number> =>
  textOf(`must be a whole number from ${least} to ${most}`, (given) => numberIn(given, least, most))

/** Decodes a text that means no value to `undefined`. */
const unless =
  (nothing: string) =>
  <A>(codec: t.Decoder<string, A>): t.Decoder<string, A | undefined> => ({
    name: codec.name,
    validate: (given, context) => (given === nothing ? t.success(undefined) : codec.validate(given, context)),
    decode: (given) => (given === nothing ? t.success(undefined) : codec.decode(given)),
  })

const optional = unless('')
const orOff = unless('off')

const largest = 10_000

const limit = textOf(`must be off or a whole number from 1 to ${largest}`, (given) =>
  numberIn(given, 1, largest),
)

/** Segments of unreserved characters that each begin with a slash; `/` alone is the empty prefix. */
const basePath = textOf('must be a path such as /migration, made of letters, digits and . _ ~ -', (given) => {
  const path = given.replace(/\/$/, '')
  return /^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)*$/.test(path) ? path : undefined
})

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const logLevel = textOf(`must be one of ${logLevels.join(', ')}`, (given) =>
  logLevels.find((level) => level === given),
)

/** An `Origin` as a browser sends it: scheme and host, the port where it is not that of the scheme, nothing after it. */
const isOrigin = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.origin === text
}

/** Origins with commas between them; empty: none. */
const origins = textOf<readonly string[]>(
  'must be origins such as https://app.example, with commas between them, in lower case and without a path',
  (given) => {
    const all = given === '' ? [] : given.split(',').map((each) => each.trim())
    return all.every(isOrigin) ? [...new Set(all)] : undefined
  },
)

const most = { requests: 1_000_000, seconds: 86_400 }

/** `requests/seconds`: the most requests in each window of this length. */
const rateLimit = textOf(
  `must be off or requests/seconds such as 600/60, at most ${most.requests} in at most ${most.seconds}`,
  (given) => {
    const [, count = '', time = ''] = /^(\d{1,7})\/(\d{1,5})$/.exec(given) ?? []
    const requests = numberIn(count, 1, most.requests)
    const seconds = numberIn(time, 1, most.seconds)
    return requests === undefined || seconds === undefined ? undefined : { requests, seconds }
  },
)

const fewestCharacters = 32

/** Secrets that seal audit events, the first one for new events. None for an empty text. */
const auditKeys = textOf<readonly string[]>(
  `must be keys of at least ${fewestCharacters} characters, each once, with commas or blanks between them. ` +
    'Make one with: openssl rand -base64 32',
  (given) => {
    const keys = given.split(/[\s,]+/).filter((part) => part !== '')
    const areKeys = keys.every((key) => key.length >= fewestCharacters)
    const isWhole = keys.length > 0 || given === ''
    return areKeys && isWhole && new Set(keys).size === keys.length ? keys : undefined
  },
)

/** Keys that wrap data keys, the first one for new data. */
const encryptionKeys = textOf(
  'must be keys of 32 bytes in base64, each once, with commas or blanks between them. Make one with: openssl rand -base64 32',
  parseEncryptionKeys,
)

const signingKey = textOf(
  'must be base64 of at least 32 bytes, or a PKCS#8 PEM of an Ed25519 private key',
  parseSigningKey,
)

/** Keys of further access tokens to accept beside those of the signing key. */
const verificationKeys = textOf(
  'must be keys as for TOKEN_SIGNING_KEY, or PEMs of Ed25519 public keys, with commas or blanks between them',
  parseVerificationKeys,
)

/** The bundled templates, or those with a folder's in their place. */
const mailTemplates = textCodec<EmailTemplates>((folder) => {
  const problem = 'must be a folder that can be read, with a folder of templates for each language'
  return folder === ''
    ? E.right(bundledTemplates)
    : E.mapLeft((faults: readonly string[]) =>
        faults.length === 0 ? problem : `${problem}: ${faults.join('; ')}`,
      )(readTemplates(folder))
})

/** Every environment variable that the server reads, with its default; docs/reference/configuration.md lists them. */
export const variables = {
  host: {
    name: 'HOST',
    codec: matching(
      'must be an IP address or a host name such as 127.0.0.1 or 0.0.0.0',
      /^[A-Za-z0-9._:%-]+$/,
    ),
    fallback: '127.0.0.1',
  },
  /** 0 lets the system choose a free port. */
  port: { name: 'PORT', codec: wholeNumber(0, 65_535), fallback: '8080' },
  dataDir: { name: 'DATA_DIR', codec: text, fallback: './data' },
  database: { name: 'DATABASE_URL', codec: optional(databaseUrl), fallback: '', secret: true },
  /** Most connections that one process opens to a database server. */
  databasePool: { name: 'DATABASE_POOL', codec: wholeNumber(1, 1000), fallback: '16' },
  documentStorage: {
    name: 'DOCUMENT_STORAGE_URL',
    codec: optional(documentStorageUrl),
    fallback: '',
    secret: true,
  },
  /** Absent: generated once into the data folder, only for the embedded default. */
  signingKey: { name: 'TOKEN_SIGNING_KEY', codec: optional(signingKey), fallback: '', secret: true },
  /** Tokens of these keys are accepted beside those of the signing key. */
  verificationKeys: {
    name: 'TOKEN_VERIFICATION_KEYS',
    codec: verificationKeys,
    fallback: '',
    secret: true,
  },
  /** The secrets that verify audit events; the first one seals new events. Empty: see `auditKeysFor`. */
  auditKeys: { name: 'AUDIT_KEY', codec: auditKeys, fallback: '', secret: true },
  /** The keys that wrap the data keys of encrypted data, the first one for new data. Absent: new data is not encrypted. */
  encryptionKeys: { name: 'ENCRYPTION_KEYS', codec: optional(encryptionKeys), fallback: '', secret: true },
  /** Most accounts in processing at once in the whole service; absent: no limit. */
  processingConcurrencyLimit: { name: 'PROCESSING_CONCURRENCY_LIMIT', codec: orOff(limit), fallback: 'off' },
  /** Seconds until a claim on an account expires. */
  processingClaimSeconds: { name: 'PROCESSING_CLAIM_SECONDS', codec: wholeNumber(1, 3600), fallback: '60' },
  /** Vendors with distinct codes. In production the kind sandbox is refused. */
  paymentVendors: { name: 'PAYMENT_VENDORS', codec: paymentVendors, fallback: 'none' },
  /** Seconds without a successful call after which a vendor counts as unreachable. */
  paymentVendorPersistentSeconds: {
    name: 'PAYMENT_VENDOR_PERSISTENT_SECONDS',
    codec: wholeNumber(1, 86_400),
    fallback: '600',
  },
  smtp: { name: 'SMTP_URL', codec: optional(smtpUrl), fallback: '', secret: true },
  mailFrom: {
    name: 'MAIL_FROM',
    codec: optional(textOf('must be an e-mail address, or Name <address>', parseMailSender)),
    fallback: '',
  },
  mailTemplates: { name: 'MAIL_TEMPLATES', codec: mailTemplates, fallback: '' },
  /** E-mails that this process sends at the same time. */
  mailConcurrency: { name: 'MAIL_CONCURRENCY', codec: wholeNumber(1, 50), fallback: '4' },
  /** Time-out for sending one e-mail, seconds. */
  mailTimeoutSeconds: { name: 'MAIL_TIMEOUT_SECONDS', codec: wholeNumber(1, 300), fallback: '30' },
  /** Failures of an e-mail after which it is parked. */
  mailAttempts: { name: 'MAIL_ATTEMPTS', codec: wholeNumber(1, 100), fallback: '12' },
  /** Seconds until the first retry of a failed e-mail. */
  mailRetrySeconds: { name: 'MAIL_RETRY_SECONDS', codec: wholeNumber(1, 3600), fallback: '60' },
  /** Whether webhooks may be on the own machine or network, and may be called without TLS. */
  webhookPrivateAddresses: { name: 'WEBHOOK_PRIVATE_ADDRESSES', codec: onOff, fallback: 'off' },
  /** Time-out for one message to a webhook, seconds. */
  webhookTimeoutSeconds: { name: 'WEBHOOK_TIMEOUT_SECONDS', codec: wholeNumber(1, 60), fallback: '15' },
  ...ruleVariables,
  /** The prefix of every path, before `/v1/…`: empty, or segments that each begin with a slash. */
  basePath: { name: 'BASE_PATH', codec: basePath, fallback: '/' },
  /** Origins whose pages may use the API from a browser; empty: only its own origin. */
  corsOrigins: { name: 'CORS_ORIGINS', codec: origins, fallback: '' },
  /** Whether one reverse proxy is in front, which adds the client's address to `X-Forwarded-For`. */
  trustProxy: { name: 'TRUST_PROXY', codec: onOff, fallback: 'off' },
  /** Whether GraphQL reveals its schema, by introspection and by suggestions in errors. */
  introspection: { name: 'GRAPHQL_INTROSPECTION', codec: onOff, fallback: 'off' },
  /** Whether to serve the console at `/console/`. */
  console: { name: 'CONSOLE', codec: onOff, fallback: 'off' },
  /** The most concurrent connections of clients to one process. */
  maxConnections: { name: 'MAX_CONNECTIONS', codec: wholeNumber(10, 100_000), fallback: '4000' },
  /** The most concurrent requests of one key in one process. */
  requestsPerKey: { name: 'REQUESTS_PER_KEY', codec: wholeNumber(1, 10_000), fallback: '512' },
  /** The most requests of one key to all servers together in a window of time; absent: no limit. */
  rateLimitPerKey: { name: 'RATE_LIMIT_PER_KEY', codec: orOff(rateLimit), fallback: 'off' },
  /** Whether to count events and serve `/metrics`. */
  metrics: { name: 'METRICS', codec: onOff, fallback: 'on' },
  /** The port of `/metrics`; absent: the port of the API. */
  metricsPort: { name: 'METRICS_PORT', codec: optional(wholeNumber(0, 65_535)), fallback: '' },
  logLevel: { name: 'LOG_LEVEL', codec: logLevel, fallback: 'info' },
  nodeEnv: { name: 'NODE_ENV', codec: text, fallback: 'development' },
} as const

const mostMistakes = 2

const knownNames: ReadonlySet<string> = new Set(Object.values(variables).map(({ name }) => name))

/** An unknown variable of the environment whose name is similar to this one. */
const misspelt = (environment: Environment, name: string): string | undefined =>
  Object.keys(environment).find(
    (given) =>
      !knownNames.has(given) &&
      Math.abs(given.length - name.length) <= mostMistakes &&
      distance(given.toUpperCase(), name) <= mostMistakes,
  )

/** The fault of a variable that is not set; `reason` follows `is required`. Mentions a variable with a similar name. */
export const required = (environment: Environment, variable: string, reason: string): ConfigFault => {
  const found = misspelt(environment, variable)
  return {
    variable,
    detail: `is required ${reason}${found === undefined ? '' : `. ${found} is set: is ${variable} meant?`}`,
  }
}
