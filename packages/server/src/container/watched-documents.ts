import type { Documents, PortFailure } from '@account-import/core'
import { pipe, TE } from '@account-import/core/adapter-kit'

/** Called when the document storage failed, which a check that only warns would hide: its request succeeds. */
export type OnDocumentFailure = (failure: PortFailure) => void

/** The same documents; every failure to look for some is told before it is passed on. */
export const watchedDocuments = (documents: Documents, onFailure?: OnDocumentFailure): Documents => ({
  ...documents,
  existing: (keys, organisation) =>
    pipe(
      documents.existing(keys, organisation),
      TE.tapError((failure) => TE.fromIO(() => onFailure?.(failure))),
    ),
})
