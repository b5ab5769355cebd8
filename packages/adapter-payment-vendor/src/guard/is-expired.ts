import { instantOf, millisecondsOf, type Instant, type PaymentInstructionDetails } from '@account-import/core'

/** Half a day behind UTC it is still yesterday somewhere. */
const latestZone = 12 * 3600 * 1000

/** Whether the month of expiry, `YYYY-MM`, is over everywhere on earth. An unknown one is not. */
export const isExpired = ({ expiry }: PaymentInstructionDetails, now: Instant): boolean =>
  expiry !== undefined && expiry < instantOf(millisecondsOf(now) - latestZone).slice(0, 7)
