// Exports for writing market packs.
export { changeableWarning, fieldError, fixedWarning, type CatalogueEntry } from './catalogue/entry.js'
export { FAILED, type Failed } from './codec/codec.js'
export { spanishMarket, spanishTables } from './rules/markets/es/pack.js'
export type { AccessTariff, Distributors, SpanishTables } from './rules/markets/es/tables.js'
export { marketPack, type MarketPack, type MarketRule } from './rules/markets/market-pack.js'
export {
  below,
  isRead,
  itemsOf,
  type KeyPath,
  type Readable,
  type ReadAccount,
  type ReadList,
  type RuleFindings,
} from './rules/rule.js'
