/** Waits for the time, or until the signal is aborted. The timer keeps the process alive. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    // oxlint-disable-next-line no-restricted-globals -- a pause is a timer; it reads and writes nothing outside
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end)
  })

/** Adds jitter, so that servers that were started together do not work at the same moment. */
export const about = (milliseconds: number): number => milliseconds * (0.5 + Math.random())

/**
 * The wait after so many consecutive failures (1 or more), in the unit of `first`: exponential backoff up to `longest`. The fraction
 * `jitter` of it is random, so that those that failed together do not try again together. `random`: from 0 to below 1.
 */
export const backoff = (
  failures: number,
  {
    first,
    longest = Number.POSITIVE_INFINITY,
    jitter = 0.5,
  }: Readonly<{ first: number; longest?: number; jitter?: number }>,
  random = Math.random(),
): number => Math.min(longest, first * 2 ** (failures - 1)) * (1 - jitter + jitter * random)

/**
 * Runs the work with a time-out. After the milliseconds, or when the outer signal is aborted, returns the result of `tooLate`,
 * which may throw, and aborts the signal of the work without waiting for its end. If the outer signal is aborted already, the
 * work never begins.
 */
export const withinTime = async <A>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<A>,
  tooLate: () => A,
  outer?: AbortSignal,
): Promise<A> => {
  if (outer?.aborted === true) return tooLate()
  const controller = new AbortController()
  let end = (): void => undefined
  const late = new Promise<A>((resolve, reject) => {
    end = () => {
      try {
        resolve(tooLate())
      } catch (cause) {
        reject(cause as Error)
      }
      controller.abort()
    }
  })
  // oxlint-disable-next-line no-restricted-globals -- a limit of time is a timer; it reads and writes nothing outside
  const timer = setTimeout(end, milliseconds)
  outer?.addEventListener('abort', end, { once: true })
  try {
    return await Promise.race([work(controller.signal), late])
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', end)
  }
}

/**
 * A function for work that takes longer than `milliseconds`: it returns a pause when so much time has passed since the last one,
 * to be awaited, so that other work gets its turn; undefined before.
 */
export const pauses = (milliseconds: number): (() => Promise<void> | undefined) => {
  let since = performance.now()
  return () => {
    if (performance.now() - since < milliseconds) return undefined
    return pause(0).then(() => {
      since = performance.now()
    })
  }
}
