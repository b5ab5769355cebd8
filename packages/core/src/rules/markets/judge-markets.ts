import type { Report } from '../report.js'
import type { ReadAccount } from '../rule.js'
import type { MarketPack } from './market-pack.js'

/**
 * Judges an account by the rules of the markets that the supplier's settings name. A market that the service is no
 * longer set up with is reported, as its rules cannot be checked.
 */
export const judgeMarkets = (account: ReadAccount, report: Report, markets: readonly MarketPack[]): void => {
  for (const name of new Set(report.context.settings.markets)) {
    const pack = markets.find(({ market }) => market === name)
    if (pack === undefined) {
      report.add('market_rules_not_available', undefined)
      continue
    }
    const own = report.withCodes(pack.codes)
    for (const rule of pack.rules) rule(account, own)
  }
}
