import { setMaxListeners } from 'node:events'
import { type AsyncOperations, type Documents, type PortFailure, portOf } from '@account-import/core'
import { slots, TooManyWaiting, withinTime } from '@account-import/core/adapter-kit'

/** Codes of the system and of S3 for failures that may pass by themselves, without a change by an operator. */
const passing: ReadonlySet<string> = new Set(
  [
    'ABORT_ERR ECONNABORTED ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT',
    'EAI_AGAIN ENOTFOUND EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH',
    'EIO EMFILE ENFILE ENODEV ENOENT ENXIO ESTALE',
    'InternalError RequestTimeout ServiceUnavailable SlowDown',
  ].flatMap((line) => line.split(' ')),
)

/** The error of the minio client, without a code, for 5xx, 408 and 429. */
const busy = /Retryable HTTP status: (\d{3})/

/** A failure of the document storage that is safe to log: no key, no credentials. */
export class DocumentStorageError extends Error {
  override readonly name = 'DocumentStorageError'
  /** The code of the system or of the storage, `HTTP_` with a status, or else the name of the error. */
  readonly code: string
  readonly kind: PortFailure['kind']

  constructor(thrown: unknown) {
    const error = thrown instanceof Error ? thrown : new Error('something that is no error was thrown')
    const status = busy.exec(error.message)?.[1]
    const code = status === undefined ? codeOf(error) : `HTTP_${status}`
    super(`the document storage failed: ${code}`)
    this.code = code
    const passes = status !== undefined || passing.has(code) || thrown instanceof TooManyWaiting
    this.kind = passes ? 'unavailable' : 'unexpected'
    // Messages can contain keys, the stack lines below them cannot.
    const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
    this.stack = [`${this.name}: ${this.message}`, ...frames].join('\n')
  }
}

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' && error.code !== '' ? error.code : error.name

/** The port of these operations, whose failures are `DocumentStorageError`s. */
export const documentsPort = (operations: AsyncOperations<Documents>): Documents =>
  portOf<Documents>('documents', operations, (cause) =>
    cause instanceof DocumentStorageError ? cause.kind : 'unexpected',
  )

const tooSlow = (): never => {
  throw Object.assign(new Error('the document storage is too slow'), { code: 'ETIMEDOUT' })
}

/** Most checks of documents of one organisation that may wait; its further calls fail as `unavailable`. */
const mostWaiting = 4096

/** The calls of one storage: at most `parallel` documents are checked at one time, and a call takes at most `milliseconds`. */
export const storageCalls = (parallel: number, milliseconds: number) => {
  const places = slots(parallel, mostWaiting)
  return {
    /** Runs the work of an operation of the port; any error and a time-out become a `DocumentStorageError`. */
    call: async <A>(work: (signal: AbortSignal) => Promise<A>): Promise<A> => {
      try {
        return await withinTime(milliseconds, work, tooSlow)
      } catch (thrown) {
        throw new DocumentStorageError(thrown)
      }
    },
    /** Runs the work in a slot, in the turn of the organisation. */
    inTurn: <A>(organisation: string, signal: AbortSignal, work: () => Promise<A>): Promise<A> =>
      places.run(organisation, signal, work),
    /**
     * The items that pass the test, in any order; each test runs in a slot, in the turn of the organisation. When a test rejects,
     * or the signal is aborted, no new test begins.
     */
    filter: async <A>(
      items: readonly A[],
      organisation: string,
      test: (item: A) => Promise<boolean>,
      signal: AbortSignal,
    ): Promise<readonly A[]> => {
      const passed: A[] = []
      const failed = new AbortController()
      const ended = AbortSignal.any([signal, failed.signal])
      // Every worker that waits for a slot listens to it; Node would warn of more than ten listeners.
      setMaxListeners(places.most, ended)
      const testOne = async (item: A): Promise<void> => {
        try {
          if (await test(item)) passed.push(item)
        } catch (thrown) {
          // Before the slot is released, so that no other test of this call begins in it.
          failed.abort(thrown)
          throw thrown
        }
      }
      // All workers share one generator, which a worker that throws closes for the others.
      const waiting = each(items)
      const work = async (): Promise<void> => {
        for (const item of waiting) await places.run(organisation, ended, () => testOne(item))
      }
      await Promise.all(Array.from({ length: Math.min(places.most, items.length) }, work))
      return passed
    },
  }
}

function* each<A>(items: readonly A[]): Generator<A> {
  yield* items
}
