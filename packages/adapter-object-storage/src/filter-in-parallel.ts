/**
 * Those that pass the test, in any order, with so many tests running at most. When one rejects, or the signal is
 * given, no new one begins.
 */
export const filterInParallel = async <A>(
  items: readonly A[],
  parallel: number,
  test: (item: A) => Promise<boolean>,
  signal: AbortSignal,
): Promise<readonly A[]> => {
  const passed: A[] = []
  // All workers take from one generator, which a worker that throws closes for the others.
  const waiting = each(items)
  const work = async (): Promise<void> => {
    for (const item of waiting) {
      signal.throwIfAborted()
      if (await test(item)) passed.push(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, work))
  return passed
}

function* each<A>(items: readonly A[]): Generator<A> {
  yield* items
}
