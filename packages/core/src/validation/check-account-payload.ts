import type { CheckContext } from '../codec/index.js'
import { accountPayload, type AccountPayload } from '../payloads/account.js'
import { accountRules } from '../rules/account-rules.js'
import { bundledMarkets } from '../rules/markets/bundled-markets.js'
import type { MarketPack } from '../rules/markets/market-pack.js'
import { check, type Checked, type ExtraFinding } from './check.js'

/**
 * Validates an account payload by every rule that needs nothing but the payload, the supplier's settings and the day;
 * `extra` joins their entries. `markets` are those that the settings may name, the bundled ones when absent. Pure;
 * never throws for anything that JSON can hold.
 */
export const checkAccountPayload = (
  payload: unknown,
  context: CheckContext,
  extra: readonly ExtraFinding[] = [],
  markets: readonly MarketPack[] = bundledMarkets,
): Checked<AccountPayload> => check(accountPayload, payload, context, extra, accountRules(markets))
