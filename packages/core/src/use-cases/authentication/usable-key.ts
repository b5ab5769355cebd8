import type { ApiKeyRecord, FoundApiKey } from '../../ports/api-keys.js'
import type { Instant } from '../../values/instant.js'

/** A key of an enabled organisation that has not ended. */
export const isUsable = (record: FoundApiKey, now: Instant): boolean =>
  !record.isOrganisationDisabled && !hasEnded(record, now)

/** A key that is revoked or past its end. */
export const hasEnded = (record: ApiKeyRecord, now: Instant): boolean =>
  record.revokedAt !== undefined || (record.expiresAt !== undefined && record.expiresAt <= now)
