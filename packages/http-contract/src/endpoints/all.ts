import { addHistoricalStatements, addNotes, addPaymentInstruction, addTransactions } from './additions.js'
import { bulkProcess, bulkStage, bulkValidate } from './bulk.js'
import { accountDigests, fieldDigests } from './digests.js'
import {
  finishImportRun,
  importRun,
  importRunAccounts,
  importRunFailures,
  importRuns,
  openImportRun,
} from './import-runs.js'
import { processAccount, stageAccount, validateAccount } from './single-accounts.js'
import {
  accountImportSummary,
  allAccountImports,
  importedAccountImports,
  pendingAccountImports,
  transferStatus,
} from './state.js'
import { previewUndo, undoAccounts } from './undo.js'

/** Every endpoint of the data-import API. */
export const endpoints = {
  validateAccount,
  stageAccount,
  processAccount,
  openImportRun,
  finishImportRun,
  bulkValidate,
  bulkStage,
  bulkProcess,
  addNotes,
  addHistoricalStatements,
  addPaymentInstruction,
  addTransactions,
  previewUndo,
  undoAccounts,
  transferStatus,
  accountImportSummary,
  allAccountImports,
  pendingAccountImports,
  importedAccountImports,
  importRuns,
  importRun,
  importRunFailures,
  importRunAccounts,
  accountDigests,
  fieldDigests,
} as const
