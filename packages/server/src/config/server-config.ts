import type { SigningKey, VerificationKey } from '@account-import/adapter-access-tokens'
import type { EmailTemplates, MailSender, SmtpServer } from '@account-import/adapter-email'
import type { EncryptionKey } from '@account-import/adapter-sql/keys'
import type { DatabaseUrl, DocumentStorageUrl } from './urls.js'
import type { LogLevel, RateLimit } from './variables.js'
import type { VendorSecrets, VendorSettings } from './payment-vendors.js'

/** How one instance of the server works; decoded from the environment by `readConfig`. */
export type ServerConfig = Readonly<{
  host: string
  /** 0 to 65535; 0 lets the system choose a free port. */
  port: number
  /** Absolute path of the folder for everything that the embedded default keeps. */
  dataDir: string
  database: DatabaseUrl
  /** Most connections that one process opens to a database server, 1 to 1000. */
  databasePool: number
  /** Where documents lie; in the data folder unless configured. */
  documentStorage: DocumentStorageUrl
  /** Absent: generated once into the data folder, which only the embedded default may do. */
  signingKey: SigningKey | undefined
  /** Tokens of these keys are accepted besides those of the signing key. */
  verificationKeys: readonly VerificationKey[]
  /** The secrets that the record is checked with, and sealed with the first. Empty: as `auditKeysFor` says. */
  auditKeys: readonly string[]
  /** The keys that wrap the data keys of encrypted data, the first one for new data. Absent: new data is not encrypted. */
  encryptionKeys: readonly [EncryptionKey, ...EncryptionKey[]] | undefined
  /** Most accounts in processing at once in the whole service, 1 to 10 000; absent: no limit. */
  processingConcurrencyLimit: number | undefined
  /** Seconds that a claim on an account lives, 1 to 3600. */
  processingClaimSeconds: number
  /** Each with a code of its own. In production the server has none of kind sandbox. */
  paymentVendors: readonly VendorSettings[]
  /** The values of the variables that the payment vendors name; complete where the server is to accept requests. */
  paymentVendorSecrets: VendorSecrets
  /** Seconds without a successful call after which a vendor counts as out of reach, 1 to 86 400. */
  paymentVendorPersistentSeconds: number
  /** Where e-mails to customers are handed over, and who they are from; absent: they wait. */
  mail: Readonly<{ server: SmtpServer; from: MailSender }> | undefined
  mailTemplates: EmailTemplates
  /** E-mails that this process hands over at one time, 1 to 50. */
  mailConcurrency: number
  /** Seconds that handing over one e-mail may take, 1 to 300. */
  mailTimeoutSeconds: number
  /** Failures of an e-mail after which it is parked, 1 to 100. */
  mailAttempts: number
  /** Seconds until an e-mail that failed is tried again the first time, 1 to 3600. */
  mailRetrySeconds: number
  /** Whether webhooks may lie on the own machine or network, and may be asked without TLS. */
  webhookPrivateAddresses: boolean
  /** Seconds that one message to a webhook may take, 1 to 60. */
  webhookTimeoutSeconds: number
  timeZone: string
  defaultCountry: string
  /** The prefix of every path, before `/v1/…`: empty, or segments that each begin with a slash. */
  basePath: string
  /** Origins whose pages may use the API from a browser; empty: none but its own. */
  corsOrigins: readonly string[]
  /** Whether one reverse proxy stands in front, so that the client's address is what it put into `X-Forwarded-For`. */
  trustProxy: boolean
  /** Connections of clients to one process at one time at most, 10 to 100 000. */
  maxConnections: number
  /** Requests of one key under way in one process at one time at most, 1 to 10 000. */
  requestsPerKey: number
  /** How many requests of one key all servers together take in a window of time; absent: as many as come. */
  rateLimitPerKey: RateLimit | undefined
  /** Whether anything is counted, and `/metrics` answered. */
  metrics: boolean
  /** Where `/metrics` is answered, 0 to 65535; absent: beside the API. */
  metricsPort: number | undefined
  /** Whether GraphQL tells its schema, by introspection and by suggestions in errors. */
  introspection: boolean
  /** Whether browsers get pages of import runs at `/runs/`. */
  runPages: boolean
  logLevel: LogLevel
  production: boolean
}>
