import { backoff, pause } from '@account-import/core/adapter-kit'
import { type CallOptions, type Failure, ownFailure, stopped } from './result.js'

const tryAgain = new Set([0, 408, 409, 429, 502, 503, 504])

/** Codes of failures that are final with any status. */
const lasting = new Set(['aborted', 'redirected', 'import_run_finished', 'refused_by_platform'])

/**
 * Whether a retry may succeed: no response or a cut one, a request that was too slow, as from a busy machine, too many requests,
 * an unavailable service, an account or a request that is being processed for another caller.
 */
export const isPassing = ({ status, code }: Pick<Failure, 'status' | 'code'>): boolean =>
  code === 'account_import_in_progress' || (tryAgain.has(status) && !lasting.has(code))

/** Waits; false if the signal aborted the wait. */
export const waited = async (seconds: number, signal: AbortSignal | undefined): Promise<boolean> => {
  await pause(seconds * 1000, signal)
  return signal?.aborted !== true
}

export const defaultRetrySeconds = 60

const retrySeconds = { first: 0.5, longest: 10 }

/** The backoff of retries, which ends when there was no progress for `seconds` after a failure. */
export class Patience {
  private readonly seconds: number
  private tries = 0
  /** The time of the first failure since the latest progress. */
  private since: number | undefined

  constructor(seconds: number) {
    this.seconds = seconds
  }

  /** Resets the backoff. */
  progressed(): void {
    this.tries = 0
    this.since = undefined
  }

  /** Seconds to wait before a retry, at least those of `Retry-After`; `undefined` for no retry. */
  wait(failure: Failure): number | undefined {
    if (!isPassing(failure)) return undefined
    this.tries += 1
    const wait = (failure.retryAfterSeconds ?? 0) + backoff(this.tries, retrySeconds)
    this.since ??= performance.now()
    const since = (performance.now() - this.since) / 1000
    return since + wait > this.seconds ? undefined : wait
  }
}

export const defaultSilenceSeconds = 120

/** The longest time of a timer; a longer timer would fire at once. */
const mostMilliseconds = 2_147_483_647

/**
 * Rejects with the error as soon as the signal is aborted. It listens only as long as it waits, so that a signal of long life
 * retains no awaited value.
 */
export const unlessAborted = <A>(
  next: PromiseLike<A>,
  signal: AbortSignal,
  errorOf: () => Error,
): Promise<A> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => reject(errorOf())
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
    Promise.resolve(next)
      .finally(() => signal.removeEventListener('abort', onAbort))
      .then(resolve, reject)
  })

/** One request, which ends when its caller aborts it, or when the service is silent for too long. */
export class LimitedRequest {
  private readonly controller = new AbortController()
  private readonly outer: AbortSignal | undefined
  private readonly silenceMilliseconds: number
  private silent = false

  constructor({ signal, silenceSeconds = defaultSilenceSeconds }: CallOptions) {
    this.outer = signal
    this.silenceMilliseconds =
      silenceSeconds > 0 ? Math.min(silenceSeconds * 1000, mostMilliseconds) : mostMilliseconds
    if (signal?.aborted === true) this.end()
    signal?.addEventListener('abort', this.end)
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** Waits for the service until the request ends. Time between two waits does not count as silence. */
  readonly wait = async <A>(answer: Promise<A>): Promise<A> => {
    const timer = setTimeout(() => {
      this.silent = true
      this.end()
    }, this.silenceMilliseconds)
    try {
      return await unlessAborted(answer, this.signal, () => new Error('The request was ended.'))
    } finally {
      clearTimeout(timer)
    }
  }

  /** The failure of the abort or time-out that ended the request; else the given failure. */
  explain(failure: Failure): Failure {
    if (this.outer?.aborted === true) return stopped()
    return this.silent ? ownFailure('service_silent', 'The service sent nothing for too long.') : failure
  }

  readonly end = (): void => {
    this.outer?.removeEventListener('abort', this.end)
    this.controller.abort()
  }
}
