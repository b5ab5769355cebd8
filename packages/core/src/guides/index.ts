import type { Guide } from '../catalogue/guide.js'
import type { ErrorCode } from '../catalogue/index.js'
import type { MarketPack } from '../rules/markets/market-pack.js'
import { accessGuides } from './access-guides.js'
import { accountGuides } from './account-guides.js'
import { consumptionGuides } from './consumption-guides.js'
import { contactGuides } from './contact-guides.js'
import { importGuides } from './import-guides.js'
import { ledgerGuides } from './ledger-guides.js'
import { noteAndStatementGuides } from './note-and-statement-guides.js'
import { postImportGuides } from './post-import-guides.js'
import { presenceGuides } from './presence-guides.js'
import { scheduleGuides } from './schedule-guides.js'
import { supplyGuides } from './supply-guides.js'
import { transactionGuides } from './transaction-guides.js'
import { transportGuides } from './transport-guides.js'
import { valueGuides } from './value-guides.js'

export type { ExampleObject, ExchangeExample, Guide, PayloadExample } from '../catalogue/guide.js'

/**
 * What people need to know about each code: meaning, causes, remedy, examples. A code without a guide does not
 * compile. Kept apart from the catalogue, so that programs that only check accounts do not load it.
 */
export const guides: Readonly<Record<ErrorCode, Guide>> = {
  ...presenceGuides,
  ...valueGuides,
  ...contactGuides,
  ...accountGuides,
  ...noteAndStatementGuides,
  ...supplyGuides,
  ...consumptionGuides,
  ...scheduleGuides,
  ...ledgerGuides,
  ...transactionGuides,
  ...importGuides,
  ...postImportGuides,
  ...transportGuides,
  ...accessGuides,
}

/** The guides to the codes of a service that is set up with some markets: its own, then those of the markets. */
export const guidesOf = (markets: readonly MarketPack[]): Readonly<Record<string, Guide>> =>
  Object.assign({}, guides, ...markets.map((market) => market.guides)) as Readonly<Record<string, Guide>>
