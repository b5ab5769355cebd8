import { bundledMarkets } from '../rules/markets/bundled-markets.js'
import type { MarketPack } from '../rules/markets/market-pack.js'
import type { SupplierSettings } from '../settings/supplier-settings.js'

/** The settings of a supplier for which nothing was configured: the rules of all markets of the service hold. */
export const initialSettings = (markets: readonly MarketPack[]): SupplierSettings => ({
  severities: {},
  closedLists: {},
  internalEmailDomains: [],
  markets: markets.map(({ market }) => market),
  documentRoot: '',
  migrationEmails: false,
})

/** The same with the bundled markets. */
export const builtInSettings: SupplierSettings = initialSettings(bundledMarkets)
