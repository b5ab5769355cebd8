import { marketPack } from '../market-pack.js'
import { codes } from './codes.js'
import { fiscalCodeRule } from './identifiers.js'
import { supplyRules } from './supply-rules.js'

/** Checks of the Spanish market. */
export const es = marketPack({ market: 'ES', codes, rules: [fiscalCodeRule, supplyRules] })
