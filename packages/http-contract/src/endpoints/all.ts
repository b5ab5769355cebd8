import { accountImportLists } from './account-import-lists.js'
import { processAccount } from './process-account.js'
import { stageAccount } from './stage-account.js'
import { transferStatus } from './transfer-status.js'
import { validateAccount } from './validate-account.js'

/** Every endpoint of the data-import API. */
export const endpoints = {
  validateAccount,
  stageAccount,
  processAccount,
  transferStatus,
  allAccountImports: accountImportLists.all,
  pendingAccountImports: accountImportLists.pending,
  importedAccountImports: accountImportLists.imported,
} as const
