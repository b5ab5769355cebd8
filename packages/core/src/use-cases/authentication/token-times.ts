import type { ApiKeyRecord } from '../../ports/api-keys.js'
import { plusSeconds, type Instant } from '../../values/instant.js'

const accessSeconds = 60 * 60
const refreshSeconds = 7 * 24 * 60 * 60
const familySeconds = 30 * 24 * 60 * 60

const earlier = (one: Instant, other: Instant | undefined): Instant =>
  other !== undefined && other < one ? other : one

/** No token outlives its key. */
export const endOfAccessToken = (now: Instant, { expiresAt }: ApiKeyRecord): Instant =>
  earlier(plusSeconds(now, accessSeconds), expiresAt)

/** No token outlives its key, nor its family. */
export const endOfRefreshToken = (
  now: Instant,
  { expiresAt }: ApiKeyRecord,
  familyEndsAt: Instant,
): Instant => earlier(earlier(plusSeconds(now, refreshSeconds), familyEndsAt), expiresAt)

/** How long an ended family is remembered: longer than any access token of it lives, by whatever server's clock. */
export const endOfMemory = (now: Instant): Instant => plusSeconds(now, 2 * accessSeconds)

/** However often its tokens are used, a family ends 30 days after its first. */
export const endOfFamily = (now: Instant): Instant => plusSeconds(now, familySeconds)
