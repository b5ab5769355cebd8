import type { PortFailure } from '@account-import/core'
import { TooManyWaiting } from '@account-import/core/adapter-kit'

/** Codes of the system and of S3 for trouble that may pass by itself, without anybody changing anything. */
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

/** A failure of the document storage that is fit for a log: no key, no credentials. */
export class DocumentStorageError extends Error {
  override readonly name = 'DocumentStorageError'
  /** As the system or the storage named it, `HTTP_` with a status, or else the name of the error. */
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
    // Messages can hold keys, the lines of the stack below them cannot.
    const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
    this.stack = [`${this.name}: ${this.message}`, ...frames].join('\n')
  }
}

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' && error.code !== '' ? error.code : error.name
