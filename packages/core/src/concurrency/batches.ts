type Waiting<Item, Outcome> = Readonly<{
  item: Item
  since: number
  resolve: (outcome: Outcome) => void
  reject: (cause: unknown) => void
}>

/** A caller that has waited this long when the other side turns out to be away does not wait for it anew. */
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

/** Takes what fits the condition out of the list. */
const takeFrom = <A>(list: A[], isTaken: (member: A, index: number) => boolean): readonly A[] => {
  const taken = list.filter(isTaken)
  const left = list.filter((member, index) => !isTaken(member, index))
  list.splice(0, list.length, ...left)
  return taken
}

/**
 * Joins what is asked for at the same moment into one call of `run`, which gives an outcome for each item, in their order. Nobody waits on purpose: what is asked for while fewer than
 * `parallel` batches run goes at the end of the same turn of the event loop, with all that came in it; the rest goes as
 * batches end. A batch that failed is tried one by one, so that an item that cannot be done does not fail the others;
 * not where the other side is away.
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
    /** Which of the items that wait go next, by their indexes: always the first, and any that may go with it. */
    next(items: readonly Item[]): readonly number[]
    /** Whether what a batch rejected with means that trying again now would fail in the same way. */
    isAway(cause: unknown): boolean
    /** Told how many go together. */
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
