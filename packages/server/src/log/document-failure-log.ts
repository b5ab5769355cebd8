import { DocumentStorageError } from '@account-import/adapter-object-storage'
import type { Log } from './log-events.js'
import type { OnDocumentFailure } from '../container/watched-documents.js'

/** Writes that the document storage failed, by kind and code alone: neither holds a path or a secret. */
export const documentFailureLog =
  (log: Log): OnDocumentFailure =>
  ({ kind, cause }) =>
    log.warn(
      { event: 'document_storage', kind, ...(cause instanceof DocumentStorageError && { code: cause.code }) },
      'the document storage failed, so documents were not checked',
    )
