import type { Instant } from '@account-import/core'
import type { Knex } from 'knex'
import { toSqlInstant } from '../rows/instants.js'

/** A condition: no live claim on the import. A claim that has expired does not count; its owner can create nothing. */
export const withoutLiveClaim =
  (at: Instant) =>
  (imports: Knex.QueryBuilder): void => {
    void imports.whereNull('claim_token').orWhere('claim_expires_at', '<=', toSqlInstant(at))
  }
