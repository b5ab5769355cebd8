import { accountImportListCalls } from './account-import-lists.js'
import { accountImportSummaryCall } from './account-import-summary.js'
import { addHistoricalStatementsCall } from './add-historical-statements.js'
import { addNotesCall } from './add-notes.js'
import { addPaymentInstructionCall } from './add-payment-instruction.js'
import { addTransactionsCall } from './add-transactions.js'
import { bulkProcessCall } from './bulk-process.js'
import { bulkStageCall } from './bulk-stage.js'
import { bulkValidateCall } from './bulk-validate.js'
import { processAccountCall } from './process-account.js'
import { stageAccountCall } from './stage-account.js'
import { transferStatusCall } from './transfer-status.js'
import { validateAccountCall } from './validate-account.js'

/** What a client knows of every endpoint of the data-import API. */
export const calls = {
  validateAccount: validateAccountCall,
  stageAccount: stageAccountCall,
  processAccount: processAccountCall,
  bulkValidate: bulkValidateCall,
  bulkStage: bulkStageCall,
  bulkProcess: bulkProcessCall,
  addNotes: addNotesCall,
  addHistoricalStatements: addHistoricalStatementsCall,
  addPaymentInstruction: addPaymentInstructionCall,
  addTransactions: addTransactionsCall,
  transferStatus: transferStatusCall,
  accountImportSummary: accountImportSummaryCall,
  accountImportLists: accountImportListCalls,
} as const
