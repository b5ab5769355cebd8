import { markets } from '../rules/markets/markets.js'
import type { SupplierSettings } from '../settings/supplier-settings.js'

/** The settings of a supplier for which nothing was configured. */
export const builtInSettings: SupplierSettings = {
  severities: {},
  closedLists: {},
  internalEmailDomains: [],
  markets,
  documentRoot: '',
  migrationEmails: false,
}
