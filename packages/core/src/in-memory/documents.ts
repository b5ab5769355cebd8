import type { Documents } from '../ports/documents.js'
import { portCall } from '../ports/port-failure.js'
import { isDocumentKey } from '../values/document-key.js'

/** Documents whose keys are in the set, which may change at any time. */
export const inMemoryDocuments = (stored: ReadonlySet<string>): Documents => {
  const call = portCall('documents')
  return {
    existing: (keys) =>
      call('existing', async () => new Set(keys.filter((key) => stored.has(key) && isDocumentKey(key)))),
    ready: () => call('ready', async () => undefined),
  }
}
