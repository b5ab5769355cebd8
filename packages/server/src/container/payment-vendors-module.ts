import {
  guardedVendor,
  type GuardOptions,
  httpJsonVendor,
  loggedVendor,
  type OnVendorAsked,
  type PaymentVendor,
  paymentVendors,
  sandboxVendor,
  stripeVendor,
  type VendorClient,
} from '@account-import/adapter-payment-vendor'
import { ContainerModule } from 'inversify'
import { type VendorSecrets, wholePattern } from '../config/payment-vendors.js'
import type { ServerConfig } from '../config/read-config.js'
import { portIds } from './port-ids.js'

type VendorSettings = ServerConfig['paymentVendors'][number]
type SettingsOf<Kind> = Extract<VendorSettings, { kind: Kind }>

const needed = (secrets: VendorSecrets, variable: string): string => {
  const secret = secrets.get(variable)
  if (secret === undefined) throw new Error(`${variable} is not set, and a payment vendor needs it`)
  return secret
}

// Clients get their credentials by functions at the first call: operator commands call no vendor and have no credentials.

const stripe = (
  { code, secret_key_env, base_url }: SettingsOf<'stripe'>,
  secrets: VendorSecrets,
): VendorClient =>
  stripeVendor({
    code,
    secretKey: () => needed(secrets, secret_key_env),
    ...(base_url !== undefined && { baseUrl: base_url }),
  })

const httpJson = (entry: SettingsOf<'http-json'>, secrets: VendorSecrets): VendorClient => {
  const {
    kind: _,
    organisations: _organisations,
    headers_env = {},
    allow_private_address,
    reference_pattern,
    ...rest
  } = entry
  const headerOf = ([name, variable]: readonly [string, string]) => [name, needed(secrets, variable)] as const
  return httpJsonVendor({
    ...rest,
    headers: () => Object.fromEntries(Object.entries(headers_env).map(headerOf)),
    allowPrivateAddress: allow_private_address === true,
    ...(reference_pattern !== undefined && { referencePattern: wholePattern(reference_pattern) }),
  })
}

const unboundVendor = (
  entry: VendorSettings,
  secrets: VendorSecrets,
  options: GuardOptions,
): PaymentVendor => {
  const { code, kind } = entry
  if (kind === 'sandbox') return loggedVendor(sandboxVendor({ code }), options.onAsked)
  return guardedVendor(kind === 'stripe' ? stripe(entry, secrets) : httpJson(entry, secrets), options)
}

/** The vendor of an entry of the configuration. Without credentials its calls reject. */
const configuredVendor = (
  entry: VendorSettings,
  secrets: VendorSecrets,
  options: GuardOptions,
): PaymentVendor => {
  const { organisations } = entry
  return { ...unboundVendor(entry, secrets, options), ...(organisations && { organisations }) }
}

/** Binds the configured payment vendors. `onAsked` is called for every call of a vendor. */
export const paymentVendorsModule = (config: ServerConfig, onAsked?: OnVendorAsked): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(portIds.paymentVendors)
      .toDynamicValue((context) => {
        const options = {
          clock: context.get(portIds.clock),
          persistentSeconds: config.paymentVendorPersistentSeconds,
          ...(onAsked !== undefined && { onAsked }),
        }
        return paymentVendors(
          config.paymentVendors.map((entry) => configuredVendor(entry, config.paymentVendorSecrets, options)),
        )
      })
      .inSingletonScope()
  })
