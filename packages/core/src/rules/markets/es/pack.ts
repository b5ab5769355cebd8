import type { MarketPack } from '../market-pack.js'

/** Checks of the Spanish market: section 8. */
export const pack: MarketPack = { rules: [] }
