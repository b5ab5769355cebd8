import type { AccountRule } from '../rule.js'

/**
 * The rules of one market. A market is one folder, named by its ISO 3166-1 country code in lower case: its codes
 * in `codes.ts`, what people read about them in `guides.ts`, its pack in `pack.ts`.
 */
export type MarketPack = Readonly<{ rules: readonly AccountRule[] }>
