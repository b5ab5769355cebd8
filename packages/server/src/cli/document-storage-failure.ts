import { DocumentStorageError } from '@account-import/adapter-object-storage'
import type { PortFailure } from '@account-import/core'
import type { CommandError } from './command-error.js'
import { exitCode } from './exit-code.js'

/** What an operator is told when the document storage does not work. */
export const documentStorageFailure = ({ kind, cause }: PortFailure): CommandError => {
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
