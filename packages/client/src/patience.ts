import { pause } from '@account-import/core/adapter-kit'
import { type CallOptions, type Failure, ownFailure, stopped } from './result.js'

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
export const waited = async (seconds: number, signal: AbortSignal | undefined): Promise<boolean> => {
  await pause(seconds * 1000, signal)
  return signal?.aborted !== true
}

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
    const since = (performance.now() - this.since) / 1000
    return since + wait > this.seconds ? undefined : wait
  }
}

export const defaultSilenceSeconds = 120

/** The longest time of a timer; one that is set for longer ends at once. */
const mostMilliseconds = 2_147_483_647

/** One request that ends when its caller wants that, or when the service is silent for too long. */
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

  /** Waits for the service, but not beyond the end of the request; time in which nobody asks for more does not count. */
  readonly wait = async <A>(answer: Promise<A>): Promise<A> => {
    let stop = (): void => undefined
    // One for each wait: one for all of them would keep whatever was waited for until the request ends.
    const ended = new Promise<never>((_, reject) => {
      stop = () => reject(new Error('The request was ended.'))
    })
    if (this.signal.aborted) stop()
    this.signal.addEventListener('abort', stop)
    const timer = setTimeout(() => {
      this.silent = true
      this.end()
    }, this.silenceMilliseconds)
    try {
      return await Promise.race([answer, ended])
    } finally {
      clearTimeout(timer)
      this.signal.removeEventListener('abort', stop)
    }
  }

  /** Why the request ended, if it was ended here; else the failure as it is. */
  explain(failure: Failure): Failure {
    if (this.outer?.aborted === true) return stopped()
    return this.silent ? ownFailure('service_silent', 'The service said nothing for too long.') : failure
  }

  readonly end = (): void => {
    this.outer?.removeEventListener('abort', this.end)
    this.controller.abort()
  }
}
