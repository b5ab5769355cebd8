/**
 * What the work answers, or, once the milliseconds have passed or the outer signal is aborted, what `tooLate` answers
 * or throws. The signal that the work gets is aborted then, but nobody waits for the work to stop. If it is too late
 * from the beginning, the work never begins.
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
