import type { AccountDetails } from './account-details.js'
import type { SupplierSettings } from '../settings/supplier-settings.js'

/** The language most people of a country read; English for those that are not listed. */
const byCountry: Readonly<Record<string, string>> = {
  AD: 'ca',
  AR: 'es',
  AT: 'de',
  BR: 'pt',
  CH: 'de',
  CL: 'es',
  CO: 'es',
  CR: 'es',
  DE: 'de',
  EC: 'es',
  ES: 'es',
  FR: 'fr',
  GT: 'es',
  IT: 'it',
  LU: 'fr',
  MC: 'fr',
  MX: 'es',
  PA: 'es',
  PE: 'es',
  PT: 'pt',
  PY: 'es',
  SM: 'it',
  UY: 'es',
  VE: 'es',
}

/**
 * The language of an account's e-mail: the supplier's setting, else that of the country of the first supply address,
 * else that of the service's default country.
 */
export const emailLanguage = (
  { emailLanguage: chosen }: Pick<SupplierSettings, 'emailLanguage'>,
  { supply_addresses }: Pick<AccountDetails, 'supply_addresses'>,
  defaultCountry: string,
): string => chosen ?? byCountry[supply_addresses[0]?.supply_address.country ?? defaultCountry] ?? 'en'
