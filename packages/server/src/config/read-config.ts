import { join, resolve } from 'node:path'
import type { MailSender, SmtpServer } from '@account-import/adapter-email'
import { E, type Either } from '@account-import/core/fp'
import {
  type ConfigFault,
  type Environment,
  readVariable,
  type Variable,
  variableText,
} from '@account-import/cli/kit'
import { readVendorSecrets, type VendorSecrets } from './payment-vendors.js'
import { required, variables } from './variables.js'

/** Operator commands issue no tokens and call no payment vendor, so they need no signing key and no vendor's credentials. */
export type Purpose = 'serve' | 'operate'

type Decoded<V> = V extends Variable<infer A> ? A : never
type Values = { -readonly [K in keyof typeof variables]: Decoded<(typeof variables)[K]> }

/** Variables that are combined to other settings. */
type Combined = 'nodeEnv' | 'dataDir' | 'database' | 'documentStorage' | 'smtp' | 'mailFrom'

/** The configuration of one server process, decoded from the environment by `readConfig`. */
export type ServerConfig = Readonly<
  Omit<Values, Combined> & {
    /** Absolute path of the folder for all files of the embedded default. */
    dataDir: string
    database: NonNullable<Values['database']>
    /** The storage of documents. Default: a folder in the data folder. */
    documentStorage: NonNullable<Values['documentStorage']>
    /** The values of the variables that payment vendors name; complete for the purpose `serve`. */
    paymentVendorSecrets: VendorSecrets
    /** The SMTP server for e-mails to customers, and their sender; undefined: e-mails wait. */
    mail: Readonly<{ server: SmtpServer; from: MailSender }> | undefined
    production: boolean
  }
>

const databaseIn = (dataDir: string): ServerConfig['database'] => ({
  kind: 'embedded',
  url: `sqlite:${join(dataDir, 'account-import.sqlite')}`,
})

const toConfig = (
  { nodeEnv, dataDir, database, documentStorage, smtp: server, mailFrom: from, ...values }: Values,
  paymentVendorSecrets: VendorSecrets,
): ServerConfig => {
  const folder = resolve(dataDir)
  return {
    ...values,
    paymentVendorSecrets,
    dataDir: folder,
    database: database ?? databaseIn(folder),
    documentStorage: documentStorage ?? { kind: 'folder', path: join(folder, 'documents') },
    mail: server === undefined || from === undefined ? undefined : { server, from },
    production: isProduction({ NODE_ENV: nodeEnv }),
  }
}

/** Whether NODE_ENV is production: then the sandbox vendor is refused, and more variables are required. */
export const isProduction = ({ NODE_ENV = '' }: Environment): boolean =>
  /^prod(uction)?$/i.test(NODE_ENV.trim())

const inProduction = 'in production (NODE_ENV=production)'

const sandboxVendor: ConfigFault = {
  variable: 'PAYMENT_VENDORS',
  detail:
    `must have no vendor of kind sandbox ${inProduction}, as that verifies every instruction.` +
    ' Leave it out of the file; to try the service out, leave NODE_ENV=production out',
}

/** The facts that requirements depend on. */
type Given = Readonly<{
  decoded: Partial<Values>
  isServing: boolean
  isInProduction: boolean
  isSet(variable: string): boolean
}>

/** Required variables, with condition and reason. */
const requirements: readonly (readonly [
  variable: string,
  isNeeded: (given: Given) => boolean,
  reason: string,
])[] = [
  ['MAIL_FROM', ({ isSet }) => isSet('SMTP_URL'), 'with SMTP_URL: it is the sender of e-mails to customers'],
  [
    // By default a command would use a file in the current folder, and find no data.
    'DATABASE_URL',
    ({ isInProduction }) => isInProduction,
    `${inProduction}: mysql:// or postgres:// with <user>:<password>@<host>:<port>/<database>, or sqlite:<file> for a file of this machine`,
  ],
  [
    'TOKEN_SIGNING_KEY',
    ({ isServing, decoded }) => isServing && decoded.database?.kind === 'server',
    'when DATABASE_URL names a database server, so that all instances accept the same tokens.' +
      ' Make one with: openssl rand -base64 32',
  ],
  [
    'PAYMENT_VENDORS',
    ({ isServing, isInProduction }) => isServing && isInProduction,
    `${inProduction}: the path of a JSON file of payment vendors, or none where no vendor is to be asked`,
  ],
  [
    'AUDIT_KEY',
    ({ isServing, isInProduction, decoded }) =>
      isServing && isInProduction && decoded.database?.kind === 'server',
    `${inProduction} with a database server; otherwise a user with write access could replace the audit log.` +
      ' Make one with: openssl rand -base64 32',
  ],
  [
    'METRICS_PORT',
    ({ isServing, isInProduction, decoded }) => isServing && isInProduction && decoded.metrics === true,
    `${inProduction}, so that /metrics, which asks for no token, is not beside the API: a port that only the scraper` +
      ' reaches; METRICS=off switches /metrics off',
  ],
]

const samePort: ConfigFault = {
  variable: 'METRICS_PORT',
  detail: 'must be another one than PORT; leave it out for /metrics on PORT',
}

/** Reads the whole configuration; ignores unknown variables. Left: all faults at once. */
export const readConfig = (
  environment: Environment,
  purpose: Purpose,
): Either<readonly ConfigFault[], ServerConfig> => {
  const faults: ConfigFault[] = []
  const values: Partial<Record<keyof Values, unknown>> = {}
  for (const [key, variable] of Object.entries(variables) as [keyof Values, Variable<unknown>][]) {
    const read = readVariable(variable, environment)
    if (read._tag === 'Left') faults.push(read.left)
    else values[key] = read.right
  }
  const decoded = values as Partial<Values>
  const { paymentVendors = [], port, metricsPort } = decoded
  if (metricsPort !== undefined && metricsPort !== 0 && metricsPort === port) faults.push(samePort)
  const isSet = (variable: string): boolean => variableText(environment, variable) !== undefined
  const given = { decoded, isServing: purpose === 'serve', isInProduction: isProduction(environment), isSet }
  for (const [variable, isNeeded, reason] of requirements)
    if (isNeeded(given) && !isSet(variable)) faults.push(required(environment, variable, reason))
  const vendors = readVendorSecrets(paymentVendors, environment)
  if (given.isServing) faults.push(...vendors.faults)
  if (given.isServing && given.isInProduction && paymentVendors.some(({ kind }) => kind === 'sandbox'))
    faults.push(sandboxVendor)
  return faults.length > 0 ? E.left(faults) : E.right(toConfig(values as Values, vendors.secrets))
}
