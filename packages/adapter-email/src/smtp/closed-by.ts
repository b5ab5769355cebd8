/** Runs the work; when the signal is aborted before it ends, `close` is called, which makes it end. */
export const closedBy = async <A>(
  signal: AbortSignal,
  close: () => void,
  work: () => Promise<A>,
): Promise<A> => {
  signal.addEventListener('abort', close, { once: true })
  try {
    const result = work()
    if (signal.aborted) close()
    return await result
  } finally {
    signal.removeEventListener('abort', close)
  }
}
