import type { MarketPack } from './market-pack.js'
import { pack as es } from './es/pack.js'

/** Every bundled market pack by its country code. */
export const marketPacks = { ES: es } satisfies Record<string, MarketPack>

export type Market = keyof typeof marketPacks
