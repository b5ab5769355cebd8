/** How many items are held at one time, and how much they weigh together; always one, whatever it weighs. */
type Window = Readonly<{ items: number; weight: number }>

/**
 * Two steps for each item of a stream. `prepare` begins, in the order of the items, all that can be done for an item by itself;
 * `settle` does the rest for several that are prepared, and answers for each, in their order. Items with the same key are not
 * settled together, and an item that is alone with no other. `given` is told of results once they were taken, and may throw.
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

/** Takes those from the front that are ready and are settled together. */
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
 * The results of a stream of items, in their order. While one batch is settled, the items after it are asked for and prepared, as
 * far as the window has room, so a batch is whatever is ready when the one before it has ended. Memory stays level whoever is slow:
 * nothing is asked for before results are. When nobody asks for results any more (`return`), the input is stopped, and a batch
 * that has begun ends by itself. An error of the input or of a step comes after the results before it, and ends the stream.
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

  let asking: Promise<void> | undefined
  /** Asks for items and prepares them as long as there is room. Never rejects. */
  const ask = async (): Promise<void> => {
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
        // If it has failed, the batch that it belongs to fails by it.
        next.prepared.then(isReady, isReady)
        waiting.push(next)
        wake()
      }
    } catch (cause) {
      state.isEnded = true
      state.failure = { cause }
    }
    asking = undefined
    wake()
  }

  /** Without room nothing is asked for, and the next look at it comes when a batch is settled. */
  const askOn = (): void => {
    if (asking === undefined && !state.isEnded && hasRoom()) asking = ask()
  }

  try {
    for (;;) {
      askOn()
      const changed = change()
      const [first] = waiting
      if (first !== undefined) {
        await first.prepared
        const batch = takeBatch(waiting, mostTogether)
        const results = await settle(await Promise.all(batch.map(({ prepared }) => prepared)))
        held.items -= batch.length
        for (const { weight } of batch) held.weight -= weight
        askOn()
        yield results
        steps.given?.(results)
      } else if (state.isEnded) break
      else await changed
    }
    if (state.failure !== undefined) throw state.failure.cause
  } finally {
    // An input that waits for its own source ends when that does; nobody is there any more to be told that it cannot be stopped.
    if (!state.isEnded) void Promise.resolve(source.return?.()).catch(() => undefined)
  }
}
