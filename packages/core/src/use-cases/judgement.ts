import type { ServiceSettings } from '../ports/settings.js'
import type { FoundSupplier } from '../ports/registers.js'
import { rulesVersion } from '../rules/version.js'

/** The longest name that a store has to keep. */
const mostCharacters = 255

/**
 * Names all that decides whether a payload is valid, besides the payload: version of the rules and of the market packs, settings of
 * the supplier, and defaults of the service. What one judgement finds valid stays valid under the same name on every later day
 * (`rules.test.ts`). Undefined if a market pack has no version: then no judgement can be trusted later. At most 255 characters.
 */
export const judgedBy = (
  { markets, defaultCountry, timeZone }: Pick<ServiceSettings, 'markets' | 'defaultCountry' | 'timeZone'>,
  { revision }: Pick<FoundSupplier, 'revision'>,
): string | undefined => {
  const packs = markets.map(({ market, version }) => version && `${market} ${version}`)
  const name = [rulesVersion, revision, defaultCountry, timeZone, ...packs].join(', ')
  return packs.includes(undefined) || name.length > mostCharacters ? undefined : name
}
