import type { KeyRing, StorePorts } from '@account-import/core'
import type { Knex } from 'knex'
import { dataKeys } from './encryption/data-keys.js'
import type { OnRetry } from './failures/retry.js'
import { poolSession, type OnBatch } from './session/session.js'
import { sqlAccountImports } from './stores/account-imports.js'
import { sqlAccounts } from './stores/accounts.js'
import { sqlApiKeys } from './stores/api-keys.js'
import { sqlAuditTrail } from './stores/audit-trail.js'
import { sqlDocumentReferences } from './stores/document-references.js'
import { sqlFailedAttempts } from './stores/failed-attempts.js'
import { sqlImportSuppliers } from './stores/import-suppliers.js'
import { sqlKeptAnswers } from './stores/kept-answers.js'
import { joinedImports } from './stores/joined-imports.js'
import { sqlOperationsTeams } from './stores/operations-teams.js'
import { sqlOutbox } from './stores/outbox.js'
import { sqlOrganisations } from './stores/organisations.js'
import { sqlPersonalData } from './stores/personal-data.js'
import { sqlRefreshTokens } from './stores/refresh-tokens.js'
import type { OnAccountsCreated } from './stores/told-accounts.js'
import { sqlTurns } from './stores/turns.js'
import { sqlUnitOfWork } from './unit-of-work.js'

export type SqlPortsOptions = Readonly<{
  /** Told whenever the database asks for work to be run again: deadlocks, lock waits, certification, a busy file. */
  onRetry?: OnRetry
  /** Told how much goes to the database together. */
  onBatch?: OnBatch
  /** Batches of stagings on their way to the database at one time, 1 or more; 3 when absent, 1 on SQLite. */
  parallelStagingBatches?: number
  /**
   * The secrets of the record: its hashes are made with the first, and checked with all of them, which are kept for as long as
   * what they sealed. Absent or empty: hashes without a secret, which whoever may write to the tables can make too.
   */
  auditKeys?: readonly string[] | undefined
  /**
   * What the data keys of encrypted rows are wrapped by. Absent: nothing is encrypted, and whatever needs a row that is gets a
   * failure of the kind `unavailable`.
   */
  keyRing?: KeyRing | undefined
  /** Writes rows of your own in the transaction that creates the accounts; when it throws, nothing is created. */
  onAccountsCreated?: OnAccountsCreated
}>

/**
 * The stores on a database that `connectSql` opened and `migrate` brought up to date. Stagings that wait at the same
 * time share transactions, and claims share statements; every other operation has its own, or the unit of work's. Throws a `TypeError` when the
 * Knex was not made by `connectSql`.
 */
export const createSqlPorts = (knex: Knex, options: SqlPortsOptions = {}): StorePorts => {
  const onRetry = options.onRetry ?? ((): void => undefined)
  const keys = dataKeys(options.keyRing)
  const session = poolSession(knex, keys, onRetry, options.onBatch)
  return {
    accountImports: sqlAccountImports(session, joinedImports(session, options.parallelStagingBatches)),
    accounts: sqlAccounts(session),
    apiKeys: sqlApiKeys(session),
    auditTrail: sqlAuditTrail(session, options.auditKeys ?? []),
    documentReferences: sqlDocumentReferences(session),
    failedAttempts: sqlFailedAttempts(session),
    importSuppliers: sqlImportSuppliers(session),
    keptAnswers: sqlKeptAnswers(session),
    operationsTeams: sqlOperationsTeams(session),
    organisations: sqlOrganisations(session),
    outbox: sqlOutbox(session),
    personalData: sqlPersonalData(session),
    refreshTokens: sqlRefreshTokens(session),
    turns: sqlTurns(session),
    unitOfWork: sqlUnitOfWork(knex, keys, onRetry, options.onAccountsCreated),
  }
}
