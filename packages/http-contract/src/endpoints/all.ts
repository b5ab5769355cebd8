import { addHistoricalStatements, addNotes, addPaymentInstruction, addTransactions } from './additions.js'
import { bulkProcess, bulkStage, bulkValidate } from './bulk.js'
import { accountDigests, fieldDigests } from './digests.js'
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
  accountDigests,
  fieldDigests,
} as const
