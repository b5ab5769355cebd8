import type { ConnectionOptions } from '../../http/vendor-connection.js'

export type StripeVendorOptions = Readonly<{
  code: string
  /** A restricted key that may read payment methods and mandates, or where the first question gets it; never logged. */
  secretKey: string | (() => string)
  /** `https://host:port` in place of Stripe's own; its address may then be a private one. */
  baseUrl?: string
  /** One try ends after so many milliseconds; 2200 when absent. */
  tryMilliseconds?: number
}> &
  Partial<Pick<ConnectionOptions, 'resolve'>>
