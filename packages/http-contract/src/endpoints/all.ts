import { accountImportLists } from './account-import-lists.js'
import { accountImportSummary } from './account-import-summary.js'
import { addHistoricalStatements } from './add-historical-statements.js'
import { addNotes } from './add-notes.js'
import { addPaymentInstruction } from './add-payment-instruction.js'
import { addTransactions } from './add-transactions.js'
import { bulkProcess } from './bulk-process.js'
import { bulkStage } from './bulk-stage.js'
import { bulkValidate } from './bulk-validate.js'
import { processAccount } from './process-account.js'
import { stageAccount } from './stage-account.js'
import { transferStatus } from './transfer-status.js'
import { validateAccount } from './validate-account.js'

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
  transferStatus,
  accountImportSummary,
  allAccountImports: accountImportLists.all,
  pendingAccountImports: accountImportLists.pending,
  importedAccountImports: accountImportLists.imported,
} as const
