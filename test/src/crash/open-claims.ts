import type { connectSql } from '@account-import/adapter-sql'

/** The claims on accounts that do not exist; after the end of a server, what it was creating when it ended. */
export const openClaims = (knex: ReturnType<typeof connectSql>): Promise<readonly string[]> =>
  knex('account_imports')
    .whereNotNull('claim_token')
    .whereNull('platform_account_number')
    .pluck('claim_token')
