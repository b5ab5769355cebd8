// What a market pack is written with.
export type { ExchangeExample, Guide, PayloadExample } from './catalogue/guide.js'
export { changeableWarning, fieldError, fixedWarning, type CatalogueEntry } from './catalogue/entry.js'
export { FAILED, type Failed } from './codec/failed.js'
export { marketPack, type MarketPack, type MarketRule } from './rules/markets/market-pack.js'
export { below, type Place } from './rules/place.js'
export { isRead, itemsOf, type Readable, type ReadList } from './rules/readable.js'
export type { Report } from './rules/report.js'
export type { ReadAccount } from './rules/rule.js'
