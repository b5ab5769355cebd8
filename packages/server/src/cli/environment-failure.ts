import { DocumentStorageError } from '@account-import/adapter-object-storage'
import type { PortFailure } from '@account-import/core'
import { databaseError } from '../database-error.js'
import type { StartError } from '../start-error.js'
import { type CommandError, exitCode } from './command-result.js'

/** The failure of an opening; a wrong configuration is the user's to correct, all else the environment's. */
export const startFailure = (error: StartError): CommandError => ({
  exitCode: error.code === 'configuration_not_valid' ? exitCode.refused : exitCode.environment,
  code: error.code,
  detail: error.message,
})

/** Messages for an operator when the document storage does not work. */
const documentStorageFailure = ({ kind, cause }: PortFailure): CommandError => {
  const code = cause instanceof DocumentStorageError ? cause.code : 'no code'
  return kind === 'unavailable'
    ? {
        exitCode: exitCode.environment,
        code: 'document_storage_unavailable',
        detail: `The document storage cannot be reached (${code}). Check DOCUMENT_STORAGE_URL, and that it is there.`,
      }
    : {
        exitCode: exitCode.environment,
        code: 'document_storage_refused',
        detail: `The document storage refuses to answer (${code}). Check the key, its rights and the bucket in DOCUMENT_STORAGE_URL.`,
      }
}

/** A port that failed while a command ran: the document storage, or else a store. */
export const portFailureOf = (failure: PortFailure): CommandError =>
  failure.port === 'documents' ? documentStorageFailure(failure) : startFailure(databaseError(failure.cause))
