import type { RuleFindings } from '../rule-findings.js'
import type { ReadAccount } from '../rule.js'
import type { MarketPack } from './market-pack.js'

/**
 * Validates an account by the rules of the markets that the supplier's settings name. A market that the service is no
 * longer set up with is reported, as its rules cannot be checked.
 */
export const applyMarketRules = (
  account: ReadAccount,
  findings: RuleFindings,
  markets: readonly MarketPack[],
): void => {
  for (const name of new Set(findings.context.settings.markets)) {
    const pack = markets.find(({ market }) => market === name)
    if (pack === undefined) {
      findings.add('market_rules_not_available', undefined)
      continue
    }
    const own = findings.withCodes(pack.codes)
    for (const rule of pack.rules) rule(account, own)
  }
}
