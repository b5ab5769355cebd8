/** Limits of the items in memory: their number, and the sum of their weights. One item of any weight is always allowed. */
type Window = Readonly<{ items: number; weight: number }>

/**
 * Two steps for each item of a stream. `prepare` begins, in the order of the items, the work of one item by itself; `settle` does
 * the rest for several prepared items, and returns a result for each, in their order. Items with the same key are not settled
 * together, nor an item that `isAlone` with any other. `given` is called with results after the caller took them, and may throw.
 */
type Steps<Item, Prepared, Result> = Readonly<{
  window: Window
  mostTogether: number
  weightOf(item: Item): number
  keyOf?(item: Item): string | undefined
  isAlone?(item: Item): boolean
  prepare(item: Item): Promise<Prepared>
  settle(batch: readonly Prepared[]): Promise<readonly Result[]>
  given?(results: readonly Result[]): void
}>

type Waiting<Prepared> = {
  key: string | undefined
  isAlone: boolean
  weight: number
  prepared: Promise<Prepared>
  /** Set once `prepared` has settled. */
  isReady: boolean
}

/** Removes and returns the first items that are ready and may be settled together. */
const takeBatch = <Prepared>(
  waiting: Waiting<Prepared>[],
  mostTogether: number,
): readonly Waiting<Prepared>[] => {
  const keys = new Set<string>()
  let count = 0
  for (const { key, isAlone, isReady } of waiting) {
    const isApart = !isReady || isAlone || (key !== undefined && keys.has(key))
    if (count === mostTogether || (isApart && count > 0)) break
    if (key !== undefined) keys.add(key)
    count += 1
    if (isAlone) break
  }
  return waiting.splice(0, count)
}

/**
 * The results of a stream of items, in their order. While one batch is settled, the next items are read and prepared, within the
 * window, so a batch contains all items that are ready when the previous one has ended. Memory is bounded: items are read only
 * while results are requested. When the caller ends the iteration (`return`), the input is stopped, and a batch that has begun
 * ends by itself. An error of the input or of a step is thrown after the results before it, and ends the stream.
 */
export async function* inOrder<Item, Prepared, Result>(
  input: AsyncIterable<Item> | Iterable<Item>,
  steps: Steps<Item, Prepared, Result>,
): AsyncGenerator<readonly Result[]> {
  const { window, mostTogether, weightOf, prepare, settle } = steps
  const source = Symbol.asyncIterator in input ? input[Symbol.asyncIterator]() : input[Symbol.iterator]()
  const waiting: Waiting<Prepared>[] = []
  const held = { items: 0, weight: 0 }
  const state: { isEnded: boolean; failure?: Readonly<{ cause: unknown }> } = { isEnded: false }
  let wake = (): void => undefined
  const change = (): Promise<void> => new Promise((resolve) => (wake = resolve))

  const hasRoom = (): boolean =>
    held.items === 0 || (held.items < window.items && held.weight < window.weight)

  let reading: Promise<void> | undefined
  /** Reads items and prepares them as long as the window has room. Never rejects. */
  const readItems = async (): Promise<void> => {
    try {
      while (hasRoom()) {
        const step = await source.next()
        if (step.done === true) {
          state.isEnded = true
          break
        }
        const item = step.value
        const weight = weightOf(item)
        held.items += 1
        held.weight += weight
        const next: Waiting<Prepared> = {
          key: steps.keyOf?.(item),
          isAlone: steps.isAlone?.(item) === true,
          weight,
          prepared: prepare(item),
          isReady: false,
        }
        const isReady = (): void => {
          next.isReady = true
        }
        // A rejection is handled by the batch of the item, which fails.
        next.prepared.then(isReady, isReady)
        waiting.push(next)
        wake()
      }
    } catch (cause) {
      state.isEnded = true
      state.failure = { cause }
    }
    reading = undefined
    wake()
  }

  /** Starts reading again if the window has room; called when a batch is settled. */
  const continueReading = (): void => {
    if (reading === undefined && !state.isEnded && hasRoom()) reading = readItems()
  }

  try {
    for (;;) {
      continueReading()
      const changed = change()
      const [first] = waiting
      if (first !== undefined) {
        await first.prepared
        const batch = takeBatch(waiting, mostTogether)
        const results = await settle(await Promise.all(batch.map(({ prepared }) => prepared)))
        held.items -= batch.length
        for (const { weight } of batch) held.weight -= weight
        continueReading()
        yield results
        steps.given?.(results)
      } else if (state.isEnded) break
      else await changed
    }
    if (state.failure !== undefined) throw state.failure.cause
  } finally {
    // An input that waits for its own source ends when that does; no caller is left for an error of stopping it.
    if (!state.isEnded) void Promise.resolve(source.return?.()).catch(() => undefined)
  }
}
