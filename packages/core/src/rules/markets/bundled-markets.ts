import { catalogue, type CatalogueEntry } from '../../catalogue/index.js'
import { es } from './es/pack.js'
import type { MarketPack } from './market-pack.js'

/** The market packs of this package. */
export const bundledMarkets: readonly MarketPack[] = [es]

/** The whole catalogue of a service with these markets: its own codes, then those of the markets. */
export const catalogueOf = (markets: readonly MarketPack[]): Readonly<Record<string, CatalogueEntry>> =>
  Object.assign({}, catalogue, ...markets.map(({ codes }) => codes)) as Readonly<
    Record<string, CatalogueEntry>
  >
