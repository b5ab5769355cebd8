import { es } from './es/pack.js'
import type { MarketPack } from './market-pack.js'

/** The market packs that come with the service. */
export const bundledMarkets: readonly MarketPack[] = [es]
