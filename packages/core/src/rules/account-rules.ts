import { accountHolder } from './account-holder.js'
import { each, within } from './combine.js'
import { customersPresence } from './customers-presence.js'
import { distinctMetadata, distinctReferences, distinctUserDetails } from './distinct-lists.js'
import { domesticFamilyNames } from './family-names.js'
import { ledgerRules } from './ledgers.js'
import { applyMarketRules } from './markets/apply-market-rules.js'
import type { MarketPack } from './markets/market-pack.js'
import { noteRules } from './notes.js'
import { paymentScheduleRules } from './payment-schedules.js'
import { below } from './key-path.js'
import type { ReadList } from './readable.js'
import type { RuleFindings } from './rule-findings.js'
import type { AccountRule, ListRule } from './rule.js'
import { statementRules } from './statements.js'
import { oneOccupierAddress, supplyAddressRules } from './supply-addresses.js'

/** Validates a list of the account. */
const inAccount = <Name extends string, A>(
  field: Name,
  rule: ListRule<A>,
): ((account: { readonly [F in Name]?: ReadList<A> }, findings: RuleFindings) => void) => {
  const at = below(undefined, field)
  return (account, findings) => {
    const items = account[field]
    if (items !== undefined) rule(items, at, findings)
  }
}

/** The rules of every market. */
const commonRules: readonly AccountRule[] = [
  customersPresence,
  accountHolder,
  domesticFamilyNames,
  oneOccupierAddress,
  inAccount('customers', each(within('user_details', distinctUserDetails))),
  inAccount('supply_addresses', supplyAddressRules),
  inAccount('notes', noteRules),
  inAccount('ledgers', ledgerRules),
  inAccount('payment_schedules', paymentScheduleRules),
  inAccount('statements', statementRules),
  inAccount('metadata', distinctMetadata),
  inAccount('references', distinctReferences),
]

/**
 * Validates an account that was read by all rules over several fields: the common ones, and those of the supplier's markets
 * among the ones that the service is set up with.
 */
export const accountRules =
  (markets: readonly MarketPack[]): AccountRule =>
  (account, findings) => {
    for (const rule of commonRules) rule(account, findings)
    applyMarketRules(account, findings, markets)
  }
