import {
  auditKeys,
  basePath,
  country,
  databaseUrl,
  documentStorageUrl,
  encryptionKeys,
  host,
  limit,
  logLevel,
  mailFrom,
  mailTemplates,
  onOff,
  optional,
  origins,
  rateLimit,
  signingKey,
  smtpUrl,
  text,
  timeZone,
  verificationKeys,
  wholeNumber,
} from './codecs.js'
import { paymentVendors } from './payment-vendors.js'
import type { ConfigFault, Environment } from './variable.js'

/** Every environment variable that the server reads, with its default; docs/reference/configuration.md lists them. */
export const variables = {
  host: { name: 'HOST', codec: host, fallback: '127.0.0.1' },
  port: { name: 'PORT', codec: wholeNumber(0, 65_535), fallback: '8080' },
  dataDir: { name: 'DATA_DIR', codec: text, fallback: './data' },
  database: { name: 'DATABASE_URL', codec: optional(databaseUrl), fallback: '', secret: true },
  databasePool: { name: 'DATABASE_POOL', codec: wholeNumber(1, 1000), fallback: '16' },
  documentStorage: {
    name: 'DOCUMENT_STORAGE_URL',
    codec: optional(documentStorageUrl),
    fallback: '',
    secret: true,
  },
  signingKey: { name: 'TOKEN_SIGNING_KEY', codec: optional(signingKey), fallback: '', secret: true },
  verificationKeys: {
    name: 'TOKEN_VERIFICATION_KEYS',
    codec: verificationKeys,
    fallback: '',
    secret: true,
  },
  auditKeys: { name: 'AUDIT_KEY', codec: auditKeys, fallback: '', secret: true },
  encryptionKeys: { name: 'ENCRYPTION_KEYS', codec: optional(encryptionKeys), fallback: '', secret: true },
  processingConcurrencyLimit: { name: 'PROCESSING_CONCURRENCY_LIMIT', codec: limit, fallback: 'off' },
  processingClaimSeconds: { name: 'PROCESSING_CLAIM_SECONDS', codec: wholeNumber(1, 3600), fallback: '60' },
  paymentVendors: { name: 'PAYMENT_VENDORS', codec: paymentVendors, fallback: 'none' },
  paymentVendorPersistentSeconds: {
    name: 'PAYMENT_VENDOR_PERSISTENT_SECONDS',
    codec: wholeNumber(1, 86_400),
    fallback: '600',
  },
  smtp: { name: 'SMTP_URL', codec: optional(smtpUrl), fallback: '', secret: true },
  mailFrom: { name: 'MAIL_FROM', codec: optional(mailFrom), fallback: '' },
  mailTemplates: { name: 'MAIL_TEMPLATES', codec: mailTemplates, fallback: '' },
  mailConcurrency: { name: 'MAIL_CONCURRENCY', codec: wholeNumber(1, 50), fallback: '4' },
  mailTimeoutSeconds: { name: 'MAIL_TIMEOUT_SECONDS', codec: wholeNumber(1, 300), fallback: '30' },
  mailAttempts: { name: 'MAIL_ATTEMPTS', codec: wholeNumber(1, 100), fallback: '12' },
  mailRetrySeconds: { name: 'MAIL_RETRY_SECONDS', codec: wholeNumber(1, 3600), fallback: '60' },
  timeZone: { name: 'TIME_ZONE', codec: timeZone, fallback: 'Europe/Madrid' },
  defaultCountry: { name: 'DEFAULT_COUNTRY', codec: country, fallback: 'ES' },
  basePath: { name: 'BASE_PATH', codec: basePath, fallback: '/' },
  corsOrigins: { name: 'CORS_ORIGINS', codec: origins, fallback: '' },
  trustProxy: { name: 'TRUST_PROXY', codec: onOff, fallback: 'off' },
  introspection: { name: 'GRAPHQL_INTROSPECTION', codec: onOff, fallback: 'off' },
  maxConnections: { name: 'MAX_CONNECTIONS', codec: wholeNumber(10, 100_000), fallback: '4000' },
  requestsPerKey: { name: 'REQUESTS_PER_KEY', codec: wholeNumber(1, 10_000), fallback: '512' },
  rateLimitPerKey: { name: 'RATE_LIMIT_PER_KEY', codec: rateLimit, fallback: 'off' },
  metrics: { name: 'METRICS', codec: onOff, fallback: 'on' },
  metricsPort: { name: 'METRICS_PORT', codec: optional(wholeNumber(0, 65_535)), fallback: '' },
  logLevel: { name: 'LOG_LEVEL', codec: logLevel, fallback: 'info' },
  nodeEnv: { name: 'NODE_ENV', codec: text, fallback: 'development' },
} as const

/** A blank variable counts as not set. */
export const isGiven = (environment: Environment, name: string): boolean =>
  (environment[name] ?? '').trim() !== ''

/** How many letters have to be added, left out or changed to make one of the other. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (const [index, letter] of Array.from(one).entries()) {
    const next = [index + 1]
    for (const [place, against] of Array.from(other).entries())
      next.push(
        Math.min(
          (row[place] ?? 0) + (letter === against ? 0 : 1),
          (row[place + 1] ?? 0) + 1,
          (next[place] ?? 0) + 1,
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}

const mostMistakes = 2

const known: ReadonlySet<string> = new Set(Object.values(variables).map(({ name }) => name))

/** A variable of the environment that nothing reads, and that may be this one misspelt. */
const misspelt = (environment: Environment, name: string): string | undefined =>
  Object.keys(environment).find(
    (given) =>
      !known.has(given) &&
      Math.abs(given.length - name.length) <= mostMistakes &&
      distance(given.toUpperCase(), name) <= mostMistakes,
  )

/** The fault of a variable that is not set; `reason` follows `is required`. One that looks misspelt is named. */
export const required = (environment: Environment, variable: string, reason: string): ConfigFault => {
  const found = misspelt(environment, variable)
  return {
    variable,
    detail: `is required ${reason}${found === undefined ? '' : `. ${found} is set: is ${variable} meant?`}`,
  }
}
