import type { CatalogueEntry, ErrorCode } from '../../catalogue/index.js'
import type { ReadAccount, RuleFindings } from '../rule.js'

/** A rule over an account that may report codes of its market and of the service. */
export type MarketRule<Code extends string = string> = (
  account: ReadAccount,
  findings: RuleFindings<Code>,
) => void

/**
 * The additions of one market to the service: rules over accounts, and the codes that these report.
 *
 * - `market`: its name in suppliers' settings, such as its ISO 3166-1 country code
 * - `version`: differs for other rules; without it, staged data is validated again before an account is created from it
 * - `codes`: text, severity and class of each of its codes; none of the service's own
 */
export type MarketPack<Code extends string = string> = Readonly<{
  market: string
  version?: string
  codes: Readonly<Record<Code, CatalogueEntry>>
  rules: readonly MarketRule<Code>[]
}>

/** Makes a market pack. Does not compile if rules report a code that the pack lacks, or a code is the service's own. */
export const marketPack = <Code extends string>(
  pack: MarketPack<Code> & Readonly<{ codes: Readonly<Partial<Record<ErrorCode, never>>> }>,
): MarketPack => pack
