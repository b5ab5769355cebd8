import { variables } from '../../packages/server/dist/config/variables.js'
import { code, table } from './table.mjs'

/** What each variable is for; what it accepts is asked of its codec. */
const purposes = {
  HOST: 'Address to listen on',
  PORT: 'Port to listen on; 0 takes a free one',
  DATA_DIR: 'Folder for everything that the embedded default keeps',
  DATABASE_URL:
    'Where the data is kept; without it SQLite in a file in `DATA_DIR`; required in production. A database on another machine is reached by TLS, certificate and name verified: `?tls=off` switches that off, `?tls-ca=<file>` names an authority, and other parameters are refused: [details](../how-to/run-on-mysql.md#tls)',
  DATABASE_POOL: 'Most connections of one process to a database server',
  TOKEN_SIGNING_KEY:
    'Signs access tokens: base64 (HS256) or a PEM (EdDSA). Generated into `DATA_DIR` on the embedded default; required with `mysql://`',
  TOKEN_VERIFICATION_KEYS:
    'Access tokens of these keys are accepted too, besides those of `TOKEN_SIGNING_KEY`: [changing the signing key](../how-to/manage-access.md#change-the-signing-key)',
  AUDIT_KEY:
    'Secrets that the [record](../how-to/read-the-audit-log.md) is sealed with, the first one for new entries, the others for as long as there are entries of theirs: [changing the key](../how-to/read-the-audit-log.md#change-the-key). Generated into `DATA_DIR` on the embedded default; required in production on a database server, without it the hashes are made without a secret there',
  ENCRYPTION_KEYS:
    'Keys that what tells of a person is encrypted with, each 32 bytes in base64, the first one for new data: [encryption](../how-to/personal-data.md#encrypt-it). Without it nothing new is encrypted',
  MAX_CONNECTIONS: 'Most connections of clients to one process; further ones are closed as they come',
  REQUESTS_PER_KEY:
    'Most requests of one API key that one process works on at one time; further ones are `throttled`',
  RATE_LIMIT_PER_KEY:
    'Most requests of one API key in each window of so many seconds, all servers together, logins and lines of bulk requests included; further requests are `throttled`, and lines wait',
  PROCESSING_CONCURRENCY_LIMIT: 'Most accounts in processing at once in the whole service',
  PROCESSING_CLAIM_SECONDS:
    'Seconds after which the claim of a crashed process ends, on an account or an idempotency key',
  DOCUMENT_STORAGE_URL:
    'Where documents lie: [storing documents](../how-to/store-documents.md); without it the folder `documents` in `DATA_DIR`',
  PAYMENT_VENDORS:
    'Payment vendors that may be named: `SANDBOX` (never in production; what `serve --demo` takes), `none` (in production to be said), or those of a file such as `{"vendors": [{"code": "STRIPE", "kind": "stripe", "secret_key_env": "STRIPE_KEY"}]}`; see [connecting a payment vendor](../how-to/connect-a-payment-vendor.md)',
  PAYMENT_VENDOR_PERSISTENT_SECONDS:
    'Seconds without a successful call after which a vendor counts as out of reach, once at least 5 have failed',
  SMTP_URL:
    'Mail server that e-mails to customers are handed over to; without it they are kept until there is one. Certificates are verified (`NODE_EXTRA_CA_CERTS` adds an authority)',
  MAIL_FROM: 'Sender of e-mails to customers; required with `SMTP_URL`',
  MAIL_TEMPLATES: 'Folder of templates that add languages or replace those that are bundled (ca, en, es)',
  MAIL_CONCURRENCY: 'E-mails that one process hands over at one time',
  MAIL_TIMEOUT_SECONDS: 'What handing over one e-mail may take',
  MAIL_ATTEMPTS: 'Failures of an e-mail after which it is parked',
  MAIL_RETRY_SECONDS:
    'Pause before an e-mail is tried the second time; each pause is twice as long, up to 4 hours',
  CORS_ORIGINS:
    'Origins whose pages may use the API from a browser, with commas between them; without it none but the service itself. Only tokens that the page sends itself, no cookies',
  TRUST_PROXY:
    '`on` behind exactly one reverse proxy that sets `X-Forwarded-For`: its last entry is then the address that failed logins are counted for',
  TIME_ZONE: 'Decides which day it is',
  DEFAULT_COUNTRY: 'How national phone numbers are read',
  BASE_PATH: 'What stands before `/v1/…` in every path',
  GRAPHQL_INTROSPECTION: '`on` lets clients ask for the GraphQL schema, and suggests names in errors',
  METRICS: '`off` counts nothing and answers no `/metrics`: [monitoring](../how-to/monitor.md)',
  METRICS_PORT:
    'Port for `/metrics` alone, on the address of `HOST`, without a token; without it `/metrics` is answered on `PORT`, which is refused in production unless `METRICS=off`',
  LOG_LEVEL: 'Least level that is logged',
  NODE_ENV:
    '`production` or `prod`, in any case: `serve` refuses the sandbox of payment vendors, `--demo`, and to start without `DATABASE_URL`, `PAYMENT_VENDORS`, on a database server `AUDIT_KEY`, and `METRICS_PORT` or `METRICS=off`; commands refuse to work without `DATABASE_URL`',
}

/** No variable takes this text; what its codec says then is what it does take. */
const refused = '?\0'

const accepted = ({ codec }) => {
  const decoded = codec.decode(refused)
  if (decoded._tag === 'Right') throw new Error('The probe was accepted')
  const { message } = decoded.left[0]
  return message.startsWith('must be ') ? message.slice('must be '.length) : 'any text'
}

const purposeOf = ({ name }) => {
  const purpose = purposes[name]
  if (purpose === undefined) throw new Error(`Say in scripts/reference/configuration.mjs what ${name} is for`)
  return purpose
}

const rows = Object.values(variables).map((variable) => [
  code(variable.name),
  purposeOf(variable),
  accepted(variable),
  variable.fallback === '' ? 'none' : code(variable.fallback),
])

export const configurationPage = () => `# Configuration

Environment variables, read when a command starts. All faults are listed at once, and then nothing starts; what was
given for a secret is never shown. A blank variable counts as not set, and other variables are left alone.

${table(['Variable', 'For', 'Accepted', 'Default'], rows)}
`
