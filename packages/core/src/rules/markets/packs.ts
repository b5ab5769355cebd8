// Written by `npm run docs:generate` from the folders beside it.
import type { MarketPack } from './market-pack.js'
import type { Market } from './markets.js'
import { pack as esPack } from './es/pack.js'

/** Every bundled market pack by its market. */
export const marketPacks: Readonly<Record<Market, MarketPack>> = {
  ES: esPack,
}
