import type { Instant } from '@account-import/core'
import type { Knex } from 'knex'
import { toSqlInstant } from '../rows/instants.js'

/** That nobody has a claim on the import. One that has expired is void: its owner must not create the account any more. */
export const withoutLiveClaim =
  (at: Instant) =>
  (imports: Knex.QueryBuilder): void => {
    void imports.whereNull('claim_token').orWhere('claim_expires_at', '<=', toSqlInstant(at))
  }
