import { portCall, type PortResult } from '@account-import/core'
import { withinTime } from '@account-import/core/adapter-kit'
import { DocumentStorageError } from './document-storage-error.js'

const call = portCall('documents', (cause) =>
  cause instanceof DocumentStorageError ? cause.kind : 'unexpected',
)

const tooSlow = (): never => {
  throw Object.assign(new Error('the document storage is too slow'), { code: 'ETIMEDOUT' })
}

/**
 * An operation of the port; whatever it throws becomes a failure with a `DocumentStorageError`, and so does its taking
 * more than so many milliseconds.
 */
export const storageCall = <A>(
  operation: string,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<A>,
): PortResult<A> =>
  call(operation, async () => {
    try {
      return await withinTime(milliseconds, work, tooSlow)
    } catch (thrown) {
      throw new DocumentStorageError(thrown)
    }
  })
