import type { DatabaseUrl } from './codecs/database-url.js'
import type { VendorSettings } from './codecs/vendor-settings.js'
import type { ConfigFault } from './config-fault.js'
import { isGiven, required } from './required.js'
import type { Environment } from './variable.js'

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
