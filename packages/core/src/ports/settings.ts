/** How this instance of the service works; from the operator's configuration. */
export type ServiceSettings = Readonly<{
  /** IANA name of the business time zone that decides which day it is. */
  timeZone: string
  /** ISO 3166-1 alpha-2: how national phone numbers are read. */
  defaultCountry: string
  /** Seconds that a claim on an account lives. */
  processingClaimSeconds: number
  /** How many accounts may be in processing at once in the whole service; absent: no limit. */
  processingConcurrencyLimit?: number
}>

export const defaultServiceSettings: ServiceSettings = {
  timeZone: 'Europe/Madrid',
  defaultCountry: 'ES',
  processingClaimSeconds: 60,
}
