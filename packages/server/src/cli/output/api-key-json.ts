import type { ApiKeyRecord, Instant } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'

const datetime = (instant: Instant | undefined): string | null =>
  instant === undefined ? null : toWireDatetime(instant)

/** An API key as `--json` shows it: never its secret, nor the hash of it. */
export const apiKeyJson = ({
  id,
  organisation,
  name,
  scopes,
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
}: ApiKeyRecord) => ({
  id,
  organisation,
  name: name ?? null,
  scopes,
  created_at: toWireDatetime(createdAt),
  expires_at: datetime(expiresAt),
  revoked_at: datetime(revokedAt),
  last_used_at: datetime(lastUsedAt),
})
