import type { RuleSettings } from '../settings/supplier-settings.js'
import type { LocalDate } from '../values/local-date.js'

/**
 * What a payload is validated by besides itself.
 *
 * - `settings`: of the supplier that the payload names, or the built-in ones
 * - `defaultCountry`: ISO 3166-1 alpha-2; how national phone numbers are read
 * - `today`: in the service's business time zone, read once for a request
 */
export type CheckContext = Readonly<{ settings: RuleSettings; defaultCountry: string; today: LocalDate }>

/** The context of a codec that is used as a plain io-ts type: built-in settings, and no day lies in the future. */
export const plainContext: CheckContext = {
  settings: { severities: {}, closedLists: {}, internalEmailDomains: [], markets: [] },
  defaultCountry: 'ES',
  today: '9999-12-31' as LocalDate,
}
