// What a market pack is written with.
export { changeableWarning, fieldError, fixedWarning, type CatalogueEntry } from './catalogue/entry.js'
export { FAILED, type Failed } from './codec/failed.js'
export { below, type KeyPath } from './rules/key-path.js'
export { marketPack, type MarketPack, type MarketRule } from './rules/markets/market-pack.js'
export { isRead, itemsOf, type Readable, type ReadList } from './rules/readable.js'
export type { RuleFindings } from './rules/rule-findings.js'
export type { ReadAccount } from './rules/rule.js'
