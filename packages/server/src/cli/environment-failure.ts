import type { PortFailure } from '@account-import/core'
import { databaseError } from '../database-error.js'
import type { CommandError } from './command-error.js'
import { documentStorageFailure } from './document-storage-failure.js'
import { startFailure } from './start-failure.js'

/** A port that failed while a command ran: the document storage, or else a store. */
export const portFailureOf = (failure: PortFailure): CommandError =>
  failure.port === 'documents' ? documentStorageFailure(failure) : startFailure(databaseError(failure.cause))
