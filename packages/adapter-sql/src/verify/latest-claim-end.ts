import { instantOf, type Instant } from '@account-import/core'

const longestClaim = 3_600_000
const differenceOfClocks = 360_000

/** When the last of the claims ends that may have been taken until now: an hour is the longest that can be set. */
export const latestClaimEnd = (now: Instant): Instant =>
  instantOf(Date.parse(now) + longestClaim + differenceOfClocks)
