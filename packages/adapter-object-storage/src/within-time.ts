/**
 * What the work answers, or an error with the code `ETIMEDOUT` when it takes longer than so many milliseconds. The
 * signal tells the work then that nobody waits for it any more.
 */
export const withinTime = async <A>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<A>,
): Promise<A> => {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort()
      reject(Object.assign(new Error('the document storage is too slow'), { code: 'ETIMEDOUT' }))
    }, milliseconds)
  })
  try {
    return await Promise.race([work(controller.signal), late])
  } finally {
    clearTimeout(timer)
  }
}
