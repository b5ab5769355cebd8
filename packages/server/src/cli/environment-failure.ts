import type { PortFailure } from '@account-import/core'
import { databaseError } from '../database-error.js'
import type { StartError } from '../start-error.js'
import type { CommandFailure } from './command-failure.js'
import { documentStorageFailure } from './document-storage-failure.js'
import { exitCode } from './exit-code.js'

/** What could not be opened; a wrong configuration is the user's to correct, all else the environment's. */
export const startFailure = (error: StartError): CommandFailure => ({
  exitCode: error.fault === 'configuration_not_valid' ? exitCode.refused : exitCode.environment,
  code: error.fault,
  detail: error.message,
})

/** A port that failed while a command ran: the document storage, or else a store. */
export const portFailureOf = (failure: PortFailure): CommandFailure =>
  failure.port === 'documents' ? documentStorageFailure(failure) : startFailure(databaseError(failure.cause))
