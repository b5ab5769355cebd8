import type { CallOptions } from './options.js'
import { type Failure, ownFailure } from './result.js'

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
    if (this.outer?.aborted === true) return ownFailure('aborted', 'Stopped by the caller.')
    return this.silent ? ownFailure('service_silent', 'The service said nothing for too long.') : failure
  }

  readonly end = (): void => {
    this.outer?.removeEventListener('abort', this.end)
    this.controller.abort()
  }
}
