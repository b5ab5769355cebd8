import { catalogue, type ErrorCode } from '../catalogue/index.js'
import type { RuleSettings } from '../settings/rule-settings.js'
import type { Severity } from '../settings/severity.js'

/** The default of the catalogue, or what the supplier's settings chose where they may (section 2, severity). */
export const severityInForce = (
  code: ErrorCode,
  { severities }: Pick<RuleSettings, 'severities'>,
): Severity => {
  const { changeable, severity } = catalogue[code]
  return (changeable ? severities[code] : undefined) ?? severity
}
