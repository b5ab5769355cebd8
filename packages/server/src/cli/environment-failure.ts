import type { PortFailure } from '@account-import/core'
import { databaseError } from '../database-error.js'
import type { StartError } from '../start-error.js'
import type { CommandError } from './command-error.js'
import { documentStorageFailure } from './document-storage-failure.js'
import { exitCode } from './exit-code.js'

/** What could not be opened; a wrong configuration is the user's to correct, all else the environment's. */
export const startFailure = (error: StartError): CommandError => ({
  exitCode: error.code === 'configuration_not_valid' ? exitCode.refused : exitCode.environment,
  code: error.code,
  detail: error.message,
})

/** A port that failed while a command ran: the document storage, or else a store. */
export const portFailureOf = (failure: PortFailure): CommandError =>
  failure.port === 'documents' ? documentStorageFailure(failure) : startFailure(databaseError(failure.cause))
