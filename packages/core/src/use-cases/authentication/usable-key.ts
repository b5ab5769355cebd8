import type { ApiKeyRecord } from '../../ports/api-keys.js'
import type { Instant } from '../../values/instant.js'

/** A key that is neither revoked nor past its end. */
export const isUsable = (record: ApiKeyRecord, now: Instant): boolean =>
  record.revokedAt === undefined && (record.expiresAt === undefined || record.expiresAt > now)
