import type { CatalogueEntry, FieldCode } from '../catalogue/index.js'
import type { RuleSettings, Severity } from '../settings/supplier-settings.js'

/** The severity that the supplier's settings give the code, if it is changeable; else that of its entry. */
export const severityInForce = (
  code: FieldCode,
  { changeable, severity }: CatalogueEntry,
  { severities }: Pick<RuleSettings, 'severities'>,
): Severity => (changeable ? severities[code] : undefined) ?? severity
