import type { ServiceSettings } from '../ports/settings.js'
import type { FoundSupplier } from '../ports/registers.js'
import { rulesVersion } from '../rules/version.js'

/** The longest name that a store has to keep. */
const mostCharacters = 255

/**
 * Names all that decides whether a payload is valid, besides the payload: the versions of the rules and of the market packs, the
 * settings of the supplier, and the defaults of the service. A payload that is valid under a name stays valid under it on every
 * later day (`later-days.test.ts`). At most 255 characters. Undefined if a market pack has no version, or the name is longer: then
 * data is validated again.
 */
export const rulesInForce = (
  { markets, defaultCountry, timeZone }: Pick<ServiceSettings, 'markets' | 'defaultCountry' | 'timeZone'>,
  { revision }: Pick<FoundSupplier, 'revision'>,
): string | undefined => {
  const packs = markets.map(({ market, version }) => [market, version])
  if (packs.some(([, version]) => version === undefined)) return undefined
  const name = JSON.stringify([rulesVersion, revision, defaultCountry, timeZone, ...packs])
  return name.length > mostCharacters ? undefined : name
}
