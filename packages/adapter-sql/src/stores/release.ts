import type { ClaimRelease } from '@account-import/core'
import { toSqlInstant } from '../rows/instants.js'
import type { Session } from '../session/session.js'
import { compareKeys } from '../statements/import-keys.js'
import { endClaim } from './end-claim.js'

/** Ends the claims that are still the ones named, and records their failures. */
export const release = (session: Session, releases: readonly ClaimRelease[]): Promise<void> =>
  session.together(async (db) => {
    for (const { key, token, failure } of [...releases].sort((a, b) => compareKeys(a.key, b.key)))
      await endClaim(
        db,
        key,
        token,
        failure === undefined
          ? {}
          : { latest_failure_code: failure.code, latest_failure_at: toSqlInstant(failure.at) },
      )
  })
