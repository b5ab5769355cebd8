import type { MarketPack } from '../market-pack.js'
import { judgeFiscalCodes } from './fiscal-code-rule.js'
import { judgeSupply } from './supply-rules.js'

/** Checks of the Spanish market: section 8. */
export const pack: MarketPack = { rules: [judgeFiscalCodes, judgeSupply] }
