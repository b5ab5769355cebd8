import { countryCodes, isTimeZone } from '@account-import/core/adapter-kit'
import { E, type Either } from '@account-import/core/fp'
import type { Environment } from '../environment.js'
import { type ConfigFault, readVariable, textOf } from '../variable.js'

/** An IANA time zone name that this runtime knows. Offsets such as `+01:00` have no summer time: refused. */
const timeZone = textOf('must be an IANA time zone such as Europe/Madrid', (given) =>
  /^[A-Za-z]/.test(given) && isTimeZone(given) ? given : undefined,
)

/** An ISO 3166-1 alpha-2 code. */
const country = textOf('must be a two-letter country code in capitals such as ES', (given) =>
  countryCodes.find((code) => code === given),
)

/** The variables that rules depend on, in the service and without it. */
export const ruleVariables = {
  timeZone: { name: 'TIME_ZONE', codec: timeZone, fallback: 'Europe/Madrid' },
  defaultCountry: { name: 'DEFAULT_COUNTRY', codec: country, fallback: 'ES' },
} as const

/** Reads the configuration of offline validation. Left: all faults. */
export const readOfflineConfig = (
  environment: Environment,
): Either<readonly ConfigFault[], Readonly<{ timeZone: string; defaultCountry: string }>> => {
  const zone = readVariable(ruleVariables.timeZone, environment)
  const countryCode = readVariable(ruleVariables.defaultCountry, environment)
  if (E.isRight(zone) && E.isRight(countryCode))
    return E.right({ timeZone: zone.right, defaultCountry: countryCode.right })
  return E.left([zone, countryCode].flatMap((read) => (E.isLeft(read) ? [read.left] : [])))
}
