import { DocumentStorageError } from '@account-import/adapter-object-storage'
import type { Logger } from 'pino'
import type { OnDocumentFailure } from '../container/watched-documents.js'

/** Writes that the document storage failed, by kind and code alone: neither holds a path or a secret. */
export const documentFailureLog =
  (log: Logger): OnDocumentFailure =>
  ({ kind, cause }) =>
    log.warn(
      { event: 'document_storage', kind, ...(cause instanceof DocumentStorageError && { code: cause.code }) },
      'the document storage failed, so documents were not checked',
    )
