import { bundledMarkets } from '../rules/markets/bundled-markets.js'
import type { MarketPack } from '../rules/markets/market-pack.js'

/** The settings of the service, from the operator's configuration. */
export type ServiceSettings = Readonly<{
  /** IANA name of the business time zone, which determines today. */
  timeZone: string
  /** ISO 3166-1 alpha-2: the country of national phone numbers. */
  defaultCountry: string
  /** Seconds until a claim on an account, or on a request with an idempotency key, expires. */
  processingClaimSeconds: number
  /** Accounts that may be in processing at once in the whole service; no limit when absent. */
  processingConcurrencyLimit?: number
  /** Delivery of e-mails to customers. */
  emails: Readonly<{
    /** Failures until an e-mail is parked, 1 or more. */
    maxAttempts: number
    /** Seconds until the second attempt; each later pause is twice as long. */
    firstRetrySeconds: number
    /** Time-out of handing one e-mail over, in seconds. */
    sendSeconds: number
  }>
  /** The markets for suppliers' settings, with distinct names; the bundled ones are `bundledMarkets`. */
  markets: readonly MarketPack[]
}>

export const defaultServiceSettings: ServiceSettings = {
  timeZone: 'Europe/Madrid',
  defaultCountry: 'ES',
  processingClaimSeconds: 60,
  emails: { maxAttempts: 12, firstRetrySeconds: 60, sendSeconds: 30 },
  markets: bundledMarkets,
}
