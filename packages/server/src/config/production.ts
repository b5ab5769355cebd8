import { isLoopback } from '@account-import/core/adapter-kit'
import type { DatabaseUrl } from './urls.js'
import type { VendorSettings } from './payment-vendors.js'
import { isGiven, required } from './variables.js'
import type { ServerConfig } from './server-config.js'
import type { ConfigFault, Environment } from './variable.js'

/** Whether others than this machine can reach the service, which speaks no TLS itself. */
export const isOpenToNetwork = ({ host }: Pick<ServerConfig, 'host'>): boolean => !isLoopback(host)

type Warned = Pick<ServerConfig, 'paymentVendors' | 'paymentVendorSecrets'>

const warningOf = (entry: VendorSettings, config: Warned): string | undefined => {
  const broad =
    entry.kind === 'stripe' && config.paymentVendorSecrets.get(entry.secret_key_env)?.startsWith('sk_live_')
  return broad === true ? 'its key may do everything; a restricted key that reads is enough' : undefined
}

/** Settings that work, but should not stay as they are, by the vendor's code. */
export const vendorWarnings = (config: Warned): readonly Readonly<{ vendor: string; warning: string }>[] =>
  config.paymentVendors.flatMap((entry) => {
    const warning = warningOf(entry, config)
    return warning === undefined ? [] : [{ vendor: entry.code, warning }]
  })

/** Whether people depend on what runs, so that nothing may be there for trying out, and nothing be guessed. */
export const isProduction = ({ NODE_ENV = '' }: Environment): boolean =>
  /^prod(uction)?$/i.test(NODE_ENV.trim())

const inProduction = 'in production (NODE_ENV=production)'

const sandboxVendor: ConfigFault = {
  variable: 'PAYMENT_VENDORS',
  detail:
    `must have no vendor of kind sandbox ${inProduction}, as that verifies whatever it is asked.` +
    ' Leave it out of the file; to try the service out, leave NODE_ENV=production out',
}

const vendorFaults = (
  environment: Environment,
  vendors: readonly VendorSettings[],
): readonly ConfigFault[] => {
  if (!isGiven(environment, 'PAYMENT_VENDORS'))
    return [
      required(
        environment,
        'PAYMENT_VENDORS',
        `${inProduction}: the path of a JSON file of payment vendors, or none where no vendor is to be asked`,
      ),
    ]
  return vendors.some(({ kind }) => kind === 'sandbox') ? [sandboxVendor] : []
}

const auditKeyFaults = (
  environment: Environment,
  database: DatabaseUrl | undefined,
): readonly ConfigFault[] =>
  database?.kind === 'server' && !isGiven(environment, 'AUDIT_KEY')
    ? [
        required(
          environment,
          'AUDIT_KEY',
          `${inProduction} with a database server, as whoever may write there could otherwise make the record anew.` +
            ' Make one with: openssl rand -base64 32',
        ),
      ]
    : []

const metricsFaults = (environment: Environment, { metrics, metricsPort }: Decoded): readonly ConfigFault[] =>
  metrics === true && metricsPort === undefined && !isGiven(environment, 'METRICS_PORT')
    ? [
        required(
          environment,
          'METRICS_PORT',
          `${inProduction}, so that /metrics, which asks for no token, is not beside the API: a port that only the scraper` +
            ' reaches; METRICS=off answers no /metrics',
        ),
      ]
    : []

type Decoded = Readonly<{
  database?: DatabaseUrl | undefined
  paymentVendors?: readonly VendorSettings[]
  metrics?: boolean
  metricsPort?: number | undefined
}>

/** Without it a command would work on a file that nobody meant, and find nothing there. */
export const databaseFaults = (environment: Environment): readonly ConfigFault[] =>
  isProduction(environment) && !isGiven(environment, 'DATABASE_URL')
    ? [
        required(
          environment,
          'DATABASE_URL',
          `${inProduction}: mysql://<user>:<password>@<host>:<port>/<database>, or sqlite:<file> for a file of this machine`,
        ),
      ]
    : []

/** Faults in the variables that only `serve` asks for, in production; none elsewhere. */
export const servingFaults = (environment: Environment, decoded: Decoded): readonly ConfigFault[] =>
  isProduction(environment)
    ? [
        ...vendorFaults(environment, decoded.paymentVendors ?? []),
        ...auditKeyFaults(environment, decoded.database),
        ...metricsFaults(environment, decoded),
      ]
    : []
