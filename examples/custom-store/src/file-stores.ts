import { portFailure, type StorePorts, type UnitOfWork } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import { inMemoryFailedAttempts } from '@account-import/core/in-memory'
import { apiKeys } from './api-keys.js'
import { accountImports } from './account-imports.js'
import { accountNotes } from './account-notes.js'
import { accountPaymentInstructions, accountStatements } from './account-parts.js'
import { accountTransactions } from './account-transactions.js'
import { accountUndo } from './account-undo.js'
import { accounts, lockableAccounts } from './accounts.js'
import { auditTrail } from './audit-trail.js'
import { documentReferences } from './document-references.js'
import { openJournal } from './journal.js'
import { idempotencyRecords, keyedWork } from './idempotency-records.js'
import { importRuns } from './import-runs.js'
import { operationsTeams } from './operations-teams.js'
import { outbox } from './outbox.js'
import { personalData } from './personal-data.js'
import { refreshTokens } from './refresh-tokens.js'
import { importSuppliers, organisations } from './registers.js'
import { sharedLeases } from './shared-leases.js'
import { takeTurns, type Turns } from './turns.js'
import { webhooks } from './webhooks.js'

/** After a Left, or an error of the work, nothing is changed; a Right is returned when the file contains all changes. */
const unitOfWork = ({ alone }: Turns): UnitOfWork => ({
  run: (work) => async () => {
    try {
      return await alone(
        (access) =>
          work({
            accountImports: accountImports(access),
            accounts: lockableAccounts(access),
            accountNotes: accountNotes(access),
            accountPaymentInstructions: accountPaymentInstructions(access),
            accountStatements: accountStatements(access),
            accountTransactions: accountTransactions(access),
            auditTrail: auditTrail(access),
            keyedWork: keyedWork(access),
            outbox: outbox(access),
          })(),
        E.isRight,
      )
    } catch (cause) {
      return E.left(portFailure('unexpected', 'unitOfWork', 'run', cause))
    }
  },
})

/** Every store, in the memory of this process and in one file, for this process alone. */
export const openFileStores = async (
  path: string,
): Promise<Readonly<{ stores: StorePorts; close(): Promise<void> }>> => {
  const journal = await openJournal(path)
  const turns = takeTurns(journal)
  return {
    stores: {
      accountImports: accountImports(turns),
      accounts: accounts(turns),
      accountUndo: accountUndo(turns),
      apiKeys: apiKeys(turns),
      auditTrail: auditTrail(turns),
      documentReferences: documentReferences(turns),
      // For one process and for a minute: this need not outlive the process.
      failedAttempts: inMemoryFailedAttempts(),
      importRuns: importRuns(turns),
      importSuppliers: importSuppliers(turns),
      idempotencyRecords: idempotencyRecords(turns),
      operationsTeams: operationsTeams(turns),
      organisations: organisations(turns),
      outbox: outbox(turns),
      personalData: personalData(turns),
      refreshTokens: refreshTokens(turns),
      leases: sharedLeases(turns),
      unitOfWork: unitOfWork(turns),
      webhooks: webhooks(turns),
    },
    close: () => turns.alone(journal.close, () => false),
  }
}
