import { VendorFault } from './vendor-fault.js'

/**
 * What the work answers, or a `VendorFault` of the kind `time` once so many milliseconds have passed or the outer
 * signal says so. The signal that the work gets tells it then to stop, but nobody waits for it to do so.
 */
export const withinTime = async <A>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<A>,
  outer?: AbortSignal,
): Promise<A> => {
  if (outer?.aborted === true) throw new VendorFault('time')
  const controller = new AbortController()
  let tooLate = (): void => undefined
  const late = new Promise<never>((_, reject) => {
    tooLate = () => {
      reject(new VendorFault('time'))
      controller.abort()
    }
  })
  const timer = setTimeout(tooLate, milliseconds)
  outer?.addEventListener('abort', tooLate, { once: true })
  try {
    return await Promise.race([work(controller.signal), late])
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', tooLate)
  }
}
