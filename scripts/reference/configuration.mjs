import { variables } from '../../packages/server/dist/config/variables.js'
import { code } from './table.mjs'

/** The purpose of each variable. Its codec defines the accepted values. */
const purposes = {
  HOST: 'Address to listen on',
  PORT: 'Port to listen on; 0 takes a free one',
  DATA_DIR: 'Folder for the data of the embedded default',
  DATABASE_URL:
    'Address of the database. Default: SQLite in a file in `DATA_DIR`; required in production. The connection to another machine uses TLS, with certificate and name verified: [parameters](../how-to/run-on-mysql.md#tls)',
  DATABASE_POOL: 'Most connections of one process to a database server',
  TOKEN_SIGNING_KEY:
    'Signs access tokens. Generated into `DATA_DIR` on the embedded default; required with a database server',
  TOKEN_VERIFICATION_KEYS:
    'Further keys whose access tokens are accepted: [changing the signing key](../how-to/manage-access.md#change-the-signing-key)',
  AUDIT_KEY:
    'Secrets that [seal the audit log](../how-to/read-the-audit-log.md#sealing). Generated into `DATA_DIR` on the embedded default; required in production on a database server',
  ENCRYPTION_KEYS:
    'Keys that [encrypt personal data](../how-to/personal-data.md#encrypt-personal-data), the first one new data',
  MAX_CONNECTIONS: 'Most client connections to one process; further ones are closed at once',
  REQUESTS_PER_KEY:
    'Most concurrent requests of one API key in one process; of an organisation twice as many; further ones are `throttled`',
  RATE_LIMIT_PER_KEY:
    'Most requests of one API key to one process in each window of so many seconds: [limits](api.md#limits)',
  PROCESSING_CONCURRENCY_LIMIT: 'Most accounts in processing at one time in the whole service',
  PROCESSING_CLAIM_SECONDS:
    'Seconds after which the claim of a crashed process expires, on an account or an idempotency key',
  DOCUMENT_STORAGE_URL:
    'Address of the document storage: [storing documents](../how-to/store-documents.md). Default: the folder `documents` in `DATA_DIR`',
  PAYMENT_VENDORS:
    '[Payment vendors](../how-to/connect-a-payment-vendor.md): `SANDBOX` (never in production; the default of `serve --demo`), `none` (in production set it explicitly), or a file',
  PAYMENT_VENDOR_PERSISTENT_SECONDS:
    'Seconds without a successful call after which a vendor counts as unreachable, if at least 5 have failed',
  SMTP_URL:
    'Mail server for e-mails to customers; without it e-mails stay in the outbox: [e-mails](../how-to/send-customer-emails.md)',
  MAIL_FROM: 'Sender of e-mails to customers; required with `SMTP_URL`',
  MAIL_TEMPLATES: 'Folder of templates that add languages or replace those that are bundled (ca, en, es)',
  MAIL_CONCURRENCY: 'Number of e-mails that one process sends in parallel',
  MAIL_TIMEOUT_SECONDS: 'Time limit for sending one e-mail',
  MAIL_ATTEMPTS: 'Number of failed attempts after which an e-mail is parked',
  MAIL_RETRY_SECONDS: 'Pause before the second try of an e-mail; each pause is twice as long, up to 4 hours',
  WEBHOOK_PRIVATE_ADDRESSES:
    '`on` allows [webhooks](../how-to/webhooks.md) on the own machine or network, and without TLS',
  WEBHOOK_TIMEOUT_SECONDS: 'Time limit for one message to a webhook',
  CORS_ORIGINS: 'Origins whose pages may use the API from a browser. Default: only the service itself',
  TRUST_PROXY:
    '`on` behind exactly one reverse proxy that sets `X-Forwarded-For`: failed logins then count for its last entry',
  TIME_ZONE: 'Time zone that decides the day',
  DEFAULT_COUNTRY: 'Country of national phone numbers',
  BASE_PATH: 'Prefix of every path, before `/v1/…`',
  GRAPHQL_INTROSPECTION: '`on` lets clients query the GraphQL schema, and suggests names in errors',
  CONSOLE:
    '`on` serves pages for people at `/console/`, after a login with an API key: [the console](../how-to/use-the-console.md)',
  METRICS: 'With `off` the server counts nothing and has no `/metrics`: [monitoring](../how-to/monitor.md)',
  METRICS_PORT:
    'Separate port for `/metrics`, at the address of `HOST`; otherwise it is on `PORT`. In production, either this variable or `METRICS=off` is required',
  LOG_LEVEL: 'Lowest level that is logged',
  NODE_ENV:
    '`production` or `prod`, in any case: `serve` refuses the sandbox of payment vendors and `--demo`, and requires [more variables](../how-to/deploy.md#settings); commands require `DATABASE_URL`',
}

/** No variable accepts this text, so the error of its codec lists the accepted values. */
const refused = '?\0'

const accepted = ({ codec }) => {
  const decoded = codec.decode(refused)
  if (decoded._tag === 'Right') throw new Error('The probe was accepted')
  const { message } = decoded.left[0]
  const form = message.startsWith('must be ') ? message.slice('must be '.length) : 'any text'
  return form.replace('a whole number from ', '').replace(/^on or off$/, 'on, off')
}

const purposeOf = ({ name }) => {
  const purpose = purposes[name]
  if (purpose === undefined) throw new Error(`scripts/reference/configuration.mjs has no purpose of ${name}`)
  return purpose
}

const entries = Object.values(variables).map((variable) => {
  const fallback = variable.fallback === '' ? '' : `; default ${code(variable.fallback)}`
  return `- ${code(variable.name)} (${accepted(variable)}${fallback}): ${purposeOf(variable)}`
})

export const configurationPage = () => `# Configuration

A command reads these environment variables when it starts. If values are wrong, it lists all faults, without secrets, and does not start. A blank variable
counts as not set.

${entries.join('\n')}
`
