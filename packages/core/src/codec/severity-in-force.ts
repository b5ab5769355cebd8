import type { CatalogueEntry, FieldCode } from '../catalogue/index.js'
import type { RuleSettings } from '../settings/rule-settings.js'
import type { Severity } from '../settings/severity.js'

/** The default of the code's entry, or what the supplier's settings chose where they may (section 2, severity). */
export const severityInForce = (
  code: FieldCode,
  { changeable, severity }: CatalogueEntry,
  { severities }: Pick<RuleSettings, 'severities'>,
): Severity => (changeable ? severities[code] : undefined) ?? severity
