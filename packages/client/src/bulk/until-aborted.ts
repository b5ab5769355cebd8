/** Thrown where the caller's signal ended the wait for a source. */
export class SourceAborted extends Error {
  constructor() {
    super('The wait for the source was ended.')
  }
}

const unlessAborted = <A>(next: PromiseLike<A>, signal: AbortSignal): Promise<A> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new SourceAborted())
    const end =
      <B>(settle: (outcome: B) => void) =>
      (outcome: B): void => {
        signal.removeEventListener('abort', onAbort)
        settle(outcome)
      }
    signal.addEventListener('abort', onAbort)
    next.then(end(resolve), end(reject))
  })

const isPromise = <A>(step: A | PromiseLike<A>): step is PromiseLike<A> =>
  typeof step === 'object' && step !== null && 'then' in step

/** The items of a source. Throws `SourceAborted` as soon as the signal is aborted, whatever the source is at. */
export async function* untilAborted<A>(
  source: Iterable<A> | AsyncIterable<A>,
  signal: AbortSignal | undefined,
): AsyncGenerator<A> {
  const iterator: Iterator<A, unknown> | AsyncIterator<A, unknown> =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  let isAtItem = true
  try {
    for (;;) {
      if (signal?.aborted === true) throw new SourceAborted()
      isAtItem = false
      const step = iterator.next()
      const { done, value } = await (signal !== undefined && isPromise(step)
        ? unlessAborted(step, signal)
        : step)
      if (done === true) return
      isAtItem = true
      yield value
    }
  } catch (cause) {
    // It may be waiting for what never comes: it is told, and nobody waits for its answer.
    if (cause instanceof SourceAborted && !isAtItem)
      void Promise.resolve(iterator.return?.()).catch(() => undefined)
    throw cause
  } finally {
    if (isAtItem) await iterator.return?.()
  }
}
