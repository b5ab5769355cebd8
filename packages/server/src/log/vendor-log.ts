import type { OnVendorAsked } from '@account-import/adapter-payment-vendor'
import type { Log } from './log-events.js'

const needsOperator: ReadonlySet<string> = new Set(['refused', 'unavailable', 'unreachable'])

/** Writes each call of a payment vendor, without anything of the instruction; as a warning if the vendor failed. */
export const vendorLog =
  (log: Log): OnVendorAsked =>
  ({ failure, ...asked }) => {
    const fault = failure === undefined ? {} : { fault: failure }
    const entry = { event: 'payment_vendor' as const, ...asked, ...fault }
    if (needsOperator.has(asked.outcome)) log.warn(entry, 'a payment vendor was asked')
    else log.info(entry, 'a payment vendor was asked')
  }
