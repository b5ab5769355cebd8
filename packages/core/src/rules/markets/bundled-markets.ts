import { catalogue, type CatalogueEntry } from '../../catalogue/index.js'
import { es } from './es/pack.js'
import type { MarketPack } from './market-pack.js'

/** The market packs that come with the service. */
export const bundledMarkets: readonly MarketPack[] = [es]

/** The whole catalogue of a service that is set up with some markets: its own codes, then those of the markets. */
export const catalogueOf = (markets: readonly MarketPack[]): Readonly<Record<string, CatalogueEntry>> =>
  Object.assign({}, catalogue, ...markets.map(({ codes }) => codes)) as Readonly<
    Record<string, CatalogueEntry>
  >
