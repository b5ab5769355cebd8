import { bundledMarkets } from '../rules/markets/bundled-markets.js'
import type { MarketPack } from '../rules/markets/market-pack.js'

/** How this instance of the service works; from the operator's configuration. */
export type ServiceSettings = Readonly<{
  /** IANA name of the business time zone that decides which day it is. */
  timeZone: string
  /** ISO 3166-1 alpha-2: how national phone numbers are read. */
  defaultCountry: string
  /** Seconds that a claim on an account lives, and one on a request with an idempotency key. */
  processingClaimSeconds: number
  /** Bytes that may be kept for one organisation in a day, of claims on requests with an idempotency key and of their answers. */
  keptBytesPerDay: number
  /** How many accounts may be in processing at once in the whole service; absent: no limit. */
  processingConcurrencyLimit?: number
  /** How e-mails to customers are delivered. */
  emails: Readonly<{
    /** After how many failures an e-mail is parked, 1 or more. */
    maxAttempts: number
    /** Seconds until the second attempt; each later pause is twice as long. */
    firstRetrySeconds: number
    /** Seconds that handing one e-mail over may take. */
    sendSeconds: number
  }>
  /** The names of markets for suppliers' settings, each name once; the bundled ones are `bundledMarkets`. */
  markets: readonly MarketPack[]
}>

export const defaultServiceSettings: ServiceSettings = {
  timeZone: 'Europe/Madrid',
  defaultCountry: 'ES',
  processingClaimSeconds: 60,
  keptBytesPerDay: 2_147_483_648,
  emails: { maxAttempts: 12, firstRetrySeconds: 60, sendSeconds: 30 },
  markets: bundledMarkets,
}
