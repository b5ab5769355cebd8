import { portCall, type PortResult } from '@account-import/core'
import { DocumentStorageError } from './document-storage-error.js'

const call = portCall('documents', (cause) =>
  cause instanceof DocumentStorageError ? cause.kind : 'unexpected',
)

/** An operation of the port; whatever it throws becomes a failure with a `DocumentStorageError`. */
export const storageCall = <A>(operation: string, work: () => Promise<A>): PortResult<A> =>
  call(operation, async () => {
    try {
      return await work()
    } catch (thrown) {
      throw new DocumentStorageError(thrown)
    }
  })
