import { join, resolve } from 'node:path'
import { E, type Either } from '@account-import/core/adapter-kit'
import type { DatabaseUrl } from './urls.js'
import { databaseFaults, isProduction, servingFaults } from './production.js'
import { isGiven, required, variables } from './variables.js'
import type { ServerConfig } from './server-config.js'
import type { ConfigFault, Environment, Variable } from './variable.js'
import { readVendorSecrets, type VendorSecrets } from './payment-vendors.js'

/** Operator commands make no tokens and ask no payment vendor, so they need no signing key and no vendor's credentials. */
export type Purpose = 'serve' | 'operate'

type Decoded<V> = V extends Variable<infer A> ? A : never
type Values = { -readonly [K in keyof typeof variables]: Decoded<(typeof variables)[K]> }

const databaseIn = (dataDir: string): DatabaseUrl => ({
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

const keyReason =
  'when DATABASE_URL names a database server, so that all instances accept the same tokens.' +
  ' Make one with: openssl rand -base64 32'

const senderReason = 'with SMTP_URL: it says who e-mails to customers are from'

const samePort: ConfigFault = {
  variable: 'METRICS_PORT',
  detail: 'must be another one than PORT; leave it out for /metrics on PORT',
}

/** The input of validation besides the accounts. */
type OfflineConfig = Pick<ServerConfig, 'timeZone' | 'defaultCountry'>

const longestQuote = 60

const quoted = (text: string): string =>
  text.length > longestQuote ? `a text of ${text.length} characters` : JSON.stringify(text)

/** The decoded value, or the one thing that is wrong with it. */
const readVariable = <A>(variable: Variable<A>, environment: Environment): Either<ConfigFault, A> => {
  const set = environment[variable.name]
  const text = set === undefined || set.trim() === '' ? variable.fallback : set
  const decoded = variable.codec.decode(text)
  if (decoded._tag === 'Right') return decoded
  const detail = decoded.left[0]?.message ?? 'is not valid'
  const got = variable.secret === true ? ' (what was given is not shown)' : `, not ${quoted(text)}`
  return E.left({ variable: variable.name, detail: `${detail}${got}` })
}

/** Reads that alone; Left: every fault of it. */
export const readOfflineConfig = (
  environment: Environment,
): Either<readonly ConfigFault[], OfflineConfig> => {
  const timeZone = readVariable(variables.timeZone, environment)
  const defaultCountry = readVariable(variables.defaultCountry, environment)
  if (E.isRight(timeZone) && E.isRight(defaultCountry))
    return E.right({ timeZone: timeZone.right, defaultCountry: defaultCountry.right })
  return E.left([timeZone, defaultCountry].flatMap((read) => (E.isLeft(read) ? [read.left] : [])))
}

/** Reads the whole configuration; Left: every fault of it at once. Variables that it does not know are left alone. */
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
  const { database, paymentVendors = [], port, metricsPort } = decoded
  if (metricsPort !== undefined && metricsPort !== 0 && metricsPort === port) faults.push(samePort)
  if (isGiven(environment, 'SMTP_URL') && !isGiven(environment, 'MAIL_FROM'))
    faults.push(required(environment, 'MAIL_FROM', senderReason))
  faults.push(...databaseFaults(environment))
  if (purpose === 'serve' && database?.kind === 'server' && !isGiven(environment, 'TOKEN_SIGNING_KEY'))
    faults.push(required(environment, 'TOKEN_SIGNING_KEY', keyReason))
  const vendors = readVendorSecrets(paymentVendors, environment)
  if (purpose === 'serve') faults.push(...vendors.faults, ...servingFaults(environment, decoded))
  return faults.length > 0 ? E.left(faults) : E.right(toConfig(values as Values, vendors.secrets))
}
