import {
  guardedVendor,
  httpJsonVendor,
  loggedVendor,
  sandboxVendor,
  stripeVendor,
  type GuardOptions,
  type PaymentVendor,
  type VendorClient,
} from '@account-import/adapter-payment-vendor'
import { wholePattern } from '../config/codecs/vendor-texts.js'
import type { VendorSettings } from '../config/codecs/vendor-settings.js'
import type { VendorSecrets } from '../config/vendor-secrets.js'

type SettingsOf<Kind> = Extract<VendorSettings, { kind: Kind }>

const needed = (secrets: VendorSecrets, variable: string): string => {
  const secret = secrets.get(variable)
  if (secret === undefined) throw new Error(`${variable} is not set, and a payment vendor needs it`)
  return secret
}

const stripe = (
  { code, secret_key_env, base_url }: SettingsOf<'stripe'>,
  secrets: VendorSecrets,
): VendorClient =>
  stripeVendor({
    code,
    secretKey: needed(secrets, secret_key_env),
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
  const headers = Object.entries(headers_env).map(([name, variable]) => [name, needed(secrets, variable)])
  return httpJsonVendor({
    ...rest,
    headers: Object.fromEntries(headers) as Record<string, string>,
    allowPrivateAddress: allow_private_address === true,
    ...(reference_pattern !== undefined && { referencePattern: wholePattern(reference_pattern) }),
  })
}

/** A client that is made when it is first asked: operator commands ask no vendor and need no credentials. */
const whenAsked = (code: string, make: () => VendorClient): VendorClient => {
  let made: VendorClient | undefined
  return {
    code,
    ask: async (instruction, signal) => {
      made ??= make()
      return made.ask(instruction, signal)
    },
  }
}

const unboundVendor = (
  entry: VendorSettings,
  secrets: VendorSecrets,
  options: GuardOptions,
): PaymentVendor => {
  const { code, kind } = entry
  if (kind === 'sandbox') return loggedVendor(sandboxVendor({ code }), options.onAsked)
  const make = kind === 'stripe' ? () => stripe(entry, secrets) : () => httpJson(entry, secrets)
  return guardedVendor(whenAsked(code, make), options)
}

/** The vendor that an entry of the configuration names. Without its credentials, asking it rejects. */
export const configuredVendor = (
  entry: VendorSettings,
  secrets: VendorSecrets,
  options: GuardOptions,
): PaymentVendor => {
  const { organisations } = entry
  return { ...unboundVendor(entry, secrets, options), ...(organisations && { organisations }) }
}
