import { additionEndpoints } from './additions.js'
import { bulkEndpoints } from './bulk.js'
import { accountDigests, fieldDigests } from './digests.js'
import {
  finishImportRun,
  importRun,
  importRunAccounts,
  importRunFailures,
  importRuns,
  openImportRun,
} from './import-runs.js'
import { singleAccountEndpoints } from './single-accounts.js'
import { stateEndpoints } from './state.js'
import { undoEndpoints } from './undo.js'

/** Every endpoint of the data-import API, in the order of its description. */
export const endpoints = {
  ...singleAccountEndpoints,
  openImportRun,
  finishImportRun,
  ...bulkEndpoints,
  ...additionEndpoints,
  ...undoEndpoints,
  ...stateEndpoints,
  importRuns,
  importRun,
  importRunFailures,
  importRunAccounts,
  accountDigests,
  fieldDigests,
} as const
