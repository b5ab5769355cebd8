import { validateHeaderValue } from 'node:http'
import type { VendorSettings } from './codecs/vendor-settings.js'
import type { ConfigFault, Environment } from './variable.js'

/** The values of the variables that payment vendors name, by the names of the variables. */
export type VendorSecrets = ReadonlyMap<string, string>

const namesIn = (entry: VendorSettings): readonly string[] => {
  if (entry.kind === 'stripe') return [entry.secret_key_env]
  return entry.kind === 'http-json' ? Object.values(entry.headers_env ?? {}) : []
}

const canBeSent = (text: string): boolean => {
  try {
    validateHeaderValue('authorization', text)
    return true
  } catch {
    return false
  }
}

/** Why the text of a variable cannot be used for a vendor; undefined when it can. */
const detailOf = ({ kind }: VendorSettings, text: string): string | undefined => {
  if (text.trim() === '') return 'is not set'
  if (!canBeSent(text)) return 'has characters that cannot be sent in a header'
  return kind === 'stripe' && !/^(?:rk|sk)_/.test(text)
    ? 'must be a secret key, best a restricted one, that begins with rk_'
    : undefined
}

/** Reads the variables that the vendors name; each that cannot be used is a fault, which does not quote it. */
export const readVendorSecrets = (
  vendors: readonly VendorSettings[],
  environment: Environment,
): Readonly<{ secrets: VendorSecrets; faults: readonly ConfigFault[] }> => {
  const secrets = new Map<string, string>()
  const faults: ConfigFault[] = []
  for (const vendor of vendors)
    for (const variable of namesIn(vendor)) {
      const text = environment[variable] ?? ''
      const detail = detailOf(vendor, text)
      if (detail === undefined) secrets.set(variable, text)
      else faults.push({ variable, detail: `${detail}, and the payment vendor ${vendor.code} needs it` })
    }
  return { secrets, faults }
}
