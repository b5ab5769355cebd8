import type { Failure } from './result.js'

const tryAgain = new Set([0, 408, 409, 429, 502, 503, 504])

/** Codes of failures that stay, whatever their status. */
const lasting = new Set(['aborted', 'redirected', 'import_run_finished'])

/**
 * Whether the same request may do better a little later: no answer, one that was cut, a request that came too slowly for the
 * service, as from a busy machine, too many of them, a service that is not there right now, an account or a request that
 * somebody else works on.
 */
export const isPassing = ({ status, code }: Pick<Failure, 'status' | 'code'>): boolean =>
  code === 'account_import_in_progress' || (tryAgain.has(status) && !lasting.has(code))

/** Waits; false when the signal ended the wait. */
export const pause = (seconds: number, signal: AbortSignal | undefined): Promise<boolean> =>
  new Promise((resolve) => {
    if (signal?.aborted === true) return resolve(false)
    const end = (whole: boolean): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      resolve(whole)
    }
    const onAbort = (): void => end(false)
    const timer = setTimeout(() => end(true), seconds * 1000)
    signal?.addEventListener('abort', onAbort)
  })

export const defaultRetrySeconds = 60

const [firstSeconds, mostSeconds] = [0.5, 10]

/** Says how long to wait before another try, until nothing has gone on for so many seconds after a failure. */
export class Patience {
  private readonly seconds: number
  private tries = 0
  /** When the first failure came after which nothing has gone on. */
  private since: number | undefined

  constructor(seconds: number) {
    this.seconds = seconds
  }

  /** Something went on. */
  progressed(): void {
    this.tries = 0
    this.since = undefined
  }

  /** Seconds; `undefined` when it is not worth trying, or too late. As long as `Retry-After` says, at least. */
  wait(failure: Failure): number | undefined {
    if (!isPassing(failure)) return undefined
    const backOff = Math.min(mostSeconds, firstSeconds * 2 ** this.tries)
    this.tries += 1
    // Many callers that failed at the same moment should not come again at the same moment.
    const wait = (failure.retryAfterSeconds ?? 0) + backOff * (0.5 + Math.random() / 2)
    this.since ??= performance.now()
    const waited = (performance.now() - this.since) / 1000
    return waited + wait > this.seconds ? undefined : wait
  }
}
