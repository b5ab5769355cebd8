import type { Completion } from '@account-import/core'
import { toSqlInstant } from '../rows/instants.js'
import type { Session } from '../session/session.js'
import { compareKeys } from '../statements/import-keys.js'
import { endClaim } from './end-claim.js'

type Completed = 'completed' | 'claim_lost'

/** Marks the imports created whose claims are still the ones named. */
export const complete = (
  session: Session,
  completions: readonly Completion[],
): Promise<readonly Completed[]> =>
  session.together(async (db) => {
    const outcomes = new Map<Completion, Completed>()
    for (const completion of [...completions].sort((a, b) => compareKeys(a.key, b.key))) {
      const ended = await endClaim(db, completion.key, completion.token, {
        state: 'created',
        platform_account_number: completion.platformAccountNumber,
        account_created_at: toSqlInstant(completion.at),
        created_version: db.raw('staged_version'),
        latest_failure_code: null,
        latest_failure_at: null,
      })
      outcomes.set(completion, ended ? 'completed' : 'claim_lost')
    }
    return completions.map((completion) => outcomes.get(completion) as Completed)
  })
