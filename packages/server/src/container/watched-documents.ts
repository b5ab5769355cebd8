import type { Documents, PortFailure } from '@account-import/core'
import { pipe, TE } from '@account-import/core/adapter-kit'

/** Told when the document storage did not answer: a check that only warns hides that from the answer's status. */
export type OnDocumentFailure = (failure: PortFailure) => void

/** The same documents; every failure to look for some is told before it is passed on. */
export const watchedDocuments = (documents: Documents, onFailure?: OnDocumentFailure): Documents => ({
  ...documents,
  existing: (keys) =>
    pipe(
      documents.existing(keys),
      TE.tapError((failure) => TE.fromIO(() => onFailure?.(failure))),
    ),
})
