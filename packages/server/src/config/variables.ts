import { auditKeys } from './codecs/audit-keys.js'
import { basePath } from './codecs/base-path.js'
import { country } from './codecs/country.js'
import { databaseUrl } from './codecs/database-url.js'
import { documentStorageUrl } from './codecs/document-storage-url.js'
import { encryptionKeys } from './codecs/encryption-keys.js'
import { host } from './codecs/host.js'
import { limit } from './codecs/limit.js'
import { logLevel } from './codecs/log-level.js'
import { rateLimit } from './codecs/rate-limit.js'
import { signingKey } from './codecs/signing-key.js'
import { origins } from './codecs/origins.js'
import { verificationKeys } from './codecs/verification-keys.js'
import { onOff } from './codecs/on-off.js'
import { paymentVendors } from './codecs/payment-vendors.js'
import { text } from './codecs/text.js'
import { timeZone } from './codecs/time-zone.js'
import { mailFrom } from './codecs/mail-from.js'
import { mailTemplates } from './codecs/mail-templates.js'
import { smtpUrl } from './codecs/smtp-url.js'
import { optional } from './codecs/optional.js'
import { wholeNumber } from './codecs/whole-number.js'

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
