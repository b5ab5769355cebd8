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
