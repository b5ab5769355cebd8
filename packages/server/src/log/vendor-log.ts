import type { OnVendorAsked } from '@account-import/adapter-payment-vendor'
import type { Logger } from 'pino'

const needsOperator: ReadonlySet<string> = new Set(['refused', 'unavailable', 'unreachable'])

/** Writes each call of a payment vendor, without anything of the instruction; as a warning if the vendor failed. */
export const vendorLog =
  (log: Logger): OnVendorAsked =>
  ({ failure, ...asked }) =>
    log[needsOperator.has(asked.outcome) ? 'warn' : 'info'](
      { event: 'payment_vendor', ...asked, ...(failure !== undefined && { fault: failure }) },
      'a payment vendor was asked',
    )
