import type { VendorSettings } from './codecs/vendor-settings.js'
import type { ServerConfig } from './server-config.js'

type Warned = Pick<ServerConfig, 'paymentVendors' | 'paymentVendorSecrets'>

const warningOf = (entry: VendorSettings, config: Warned): string | undefined => {
  const broad =
    entry.kind === 'stripe' && config.paymentVendorSecrets.get(entry.secret_key_env)?.startsWith('sk_live_')
  return broad === true ? 'its key may do everything; a restricted key that reads is enough' : undefined
}

/** What works, but should not stay as it is, by the vendor's code. */
export const vendorWarnings = (config: Warned): readonly Readonly<{ vendor: string; warning: string }>[] =>
  config.paymentVendors.flatMap((entry) => {
    const warning = warningOf(entry, config)
    return warning === undefined ? [] : [{ vendor: entry.code, warning }]
  })
