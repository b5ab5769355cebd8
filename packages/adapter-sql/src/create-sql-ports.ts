import type { KeyRing, StorePorts } from '@account-import/core'
import type { Knex } from 'knex'
import { sqlAccountImports } from './ports/account-imports.js'
import { sqlAccountUndo } from './ports/account-undo.js'
import { sqlAccounts } from './ports/accounts.js'
import { sqlAuditTrail } from './ports/audit-trail.js'
import { sqlDocumentReferences } from './ports/document-references.js'
import { type Hooks, hookTransaction } from './ports/hooks.js'
import { sqlIdempotencyRecords } from './ports/idempotency-records.js'
import { sqlImportRuns } from './ports/import-runs.js'
import { sqlOutbox } from './ports/outbox.js'
import { sqlPersonalData } from './ports/personal-data.js'
import { sqlSharedByServers } from './ports/shared-by-servers.js'
import { sqlRegisters } from './ports/registers.js'
import { sqlCreate, sqlUnitOfWork } from './ports/unit-of-work.js'
import { sqlWebhooks } from './ports/webhooks.js'
import { dataKeys } from './sql/crypto.js'
import type { OnRetry } from './sql/failures.js'
import { type OnBatch, poolSession } from './sql/session.js'

export type SqlPortsOptions = Readonly<{
  /** Called for every retry: deadlocks, lock waits, certification, a busy file. */
  onRetry?: OnRetry
  /** Called with the size of every batch. */
  onBatch?: OnBatch
  /** Most batches of stagings at one time, 1 or more; 3 when absent, 1 on SQLite. */
  parallelStagingBatches?: number
  /**
   * The secrets of the audit log: its hashes are made with the first, and checked with all of them. Each is needed for as long as
   * the entries that it sealed. Absent or empty: hashes without a secret, which anybody with write access to the tables can make
   * too.
   */
  auditKeys?: readonly string[] | undefined
  /**
   * The key ring that wraps the data keys of encrypted rows. Absent: new rows are plain, and an operation that needs an encrypted
   * row fails as `unavailable`.
   */
  keyRing?: KeyRing | undefined
}> &
  Hooks

/**
 * The stores on a database that `connectSql` opened and `migrate` updated. Stagings, claims and creations that wait
 * at the same time share transactions; every other operation has its own, or that of the unit of work. Throws a `TypeError`
 * for a Knex that `connectSql` did not make.
 */
export const createSqlPorts = (knex: Knex, options: SqlPortsOptions = {}): StorePorts => {
  const { onRetry = (): void => undefined } = options
  const { onAccountsCreated, onAccountsUndone, onAccountsErased, onItemsAdded } = options
  const hooks = { onAccountsCreated, onAccountsUndone, onAccountsErased, onItemsAdded }
  const session = poolSession(knex, dataKeys(options.keyRing), onRetry, options.onBatch)
  const inTransaction = hookTransaction(knex, session, hooks, onRetry)
  return {
    ...sqlRegisters(session),
    ...sqlSharedByServers(session),
    accountImports: sqlAccountImports(session, options.parallelStagingBatches),
    accounts: { ...sqlAccounts(session), ...sqlCreate(inTransaction, hooks) },
    accountUndo: sqlAccountUndo(session, inTransaction, hooks),
    auditTrail: sqlAuditTrail(session, options.auditKeys ?? []),
    documentReferences: sqlDocumentReferences(session),
    importRuns: sqlImportRuns(session),
    idempotencyRecords: sqlIdempotencyRecords(session),
    outbox: sqlOutbox(session),
    personalData: sqlPersonalData(session, inTransaction, hooks),
    unitOfWork: sqlUnitOfWork(inTransaction, hooks),
    webhooks: sqlWebhooks(session),
  }
}
