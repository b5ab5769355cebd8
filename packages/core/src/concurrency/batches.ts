type Waiting<Item, Outcome> = Readonly<{
  item: Item
  since: number
  resolve: (outcome: Outcome) => void
  reject: (cause: unknown) => void
}>

/**
 * Callers that have waited this long when a batch finds the other side unavailable fail with it instead of waiting for the next.
 */
const mostMilliseconds = 1000

const runAlone = async <Item, Outcome>(
  run: (items: readonly Item[]) => Promise<readonly Outcome[]>,
  one: Waiting<Item, Outcome>,
): Promise<void> => {
  try {
    const [outcome] = await run([one.item])
    one.resolve(outcome as Outcome)
  } catch (cause) {
    one.reject(cause)
  }
}

/** Removes and returns the members that meet the condition. */
const takeFrom = <A>(list: A[], isTaken: (member: A, index: number) => boolean): readonly A[] => {
  const taken = list.filter(isTaken)
  const left = list.filter((member, index) => !isTaken(member, index))
  list.splice(0, list.length, ...left)
  return taken
}

/**
 * Joins calls of the same moment into one call of `run`, which returns an outcome for each item, in their order. No call is
 * delayed: while fewer than `parallel` batches run, all calls of one turn of the event loop run at its end; the others run as
 * batches end. The items of a failed batch are tried one by one, so that an item that cannot be done does not fail the others;
 * not if the other side is unavailable.
 */
export const inBatches = <Item, Outcome>(
  run: (items: readonly Item[]) => Promise<readonly Outcome[]>,
  {
    parallel,
    next,
    isAway,
    onBatch,
  }: Readonly<{
    /** Batches that run at one time, 1 or more. */
    parallel: number
    /** The indexes of the waiting items of the next batch: always the first, and any that may run with it. */
    next(items: readonly Item[]): readonly number[]
    /** Whether the rejection of a batch means that a retry now would fail in the same way. */
    isAway(cause: unknown): boolean
    /** Called with the size of each batch. */
    onBatch?: (size: number) => void
  }>,
): ((item: Item) => Promise<Outcome>) => {
  const queue: Waiting<Item, Outcome>[] = []
  let running = 0
  let begins = false

  const runBatch = async (batch: readonly Waiting<Item, Outcome>[]): Promise<void> => {
    try {
      const outcomes = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, index) => resolve(outcomes[index] as Outcome))
    } catch (cause) {
      const away = isAway(cause)
      if (!away && batch.length > 1) for (const one of batch) await runAlone(run, one)
      else for (const { reject } of batch) reject(cause)
      const latest = performance.now() - mostMilliseconds
      if (away) for (const { reject } of takeFrom(queue, ({ since }) => since < latest)) reject(cause)
    }
  }

  const work = async (): Promise<void> => {
    running += 1
    while (queue.length > 0) {
      const indexes = new Set(next(queue.map(({ item }) => item)))
      onBatch?.(indexes.size)
      await runBatch(takeFrom(queue, (_, index) => indexes.has(index)))
    }
    running -= 1
  }

  const begin = (): void => {
    begins = false
    while (running < parallel && queue.length > 0) void work()
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, since: performance.now(), resolve, reject })
      if (begins || running >= parallel) return
      begins = true
      // oxlint-disable-next-line no-restricted-globals -- the end of a turn; it reads and writes nothing outside
      setImmediate(begin)
    })
}
