/** The work for each item. Items with the same key follow one another; an item that is alone follows all, and all follow it. */
export type OrderedWork<Item, Result> = Readonly<{
  /** How much is worked on at one time: so many items, which weigh so much together; always one, whatever it weighs. */
  window: Readonly<{ items: number; weight: number }>
  weightOf: (item: Item) => number
  keyOf: (item: Item) => string | undefined
  isAlone?: (item: Item) => boolean
  run: (item: Item) => Promise<Result>
}>

/** An item that is worked on. `done` never rejects. */
type Entry<Result> = {
  outcome:
    | Readonly<{ _tag: 'done'; result: Result }>
    | Readonly<{ _tag: 'failed'; cause: unknown }>
    | undefined
  done: Promise<void>
  readonly weight: number
  readonly key: string | undefined
  readonly isAlone: boolean
}

/** The items that are worked on, in their order. */
class InFlight<Item, Result> {
  private readonly entries: Entry<Result>[] = []
  private readonly work: OrderedWork<Item, Result>
  private readonly ended: () => void

  /** `ended` is called whenever the work for an item has ended. */
  constructor(work: OrderedWork<Item, Result>, ended: () => void) {
    this.work = work
    this.ended = ended
  }

  get isEmpty(): boolean {
    return this.entries.length === 0
  }

  get hasRoom(): boolean {
    const { items, weight } = this.work.window
    const taken = this.entries.reduce((sum, entry) => sum + entry.weight, 0)
    return this.isEmpty || (this.entries.length < items && taken < weight)
  }

  begin(item: Item): void {
    const key = this.work.keyOf(item)
    const isAlone = this.work.isAlone?.(item) === true
    const before = this.entries.filter(
      (entry) => isAlone || entry.isAlone || (key !== undefined && entry.key === key),
    )
    const entry: Entry<Result> = {
      outcome: undefined,
      done: Promise.resolve(),
      weight: this.work.weightOf(item),
      key,
      isAlone,
    }
    this.entries.push(entry)
    entry.done = this.finish(entry, item, Promise.all(before.map(({ done }) => done)))
  }

  /** Takes out what has ended before anything that has not. Throws what the work for the first item threw. */
  takeReady(): readonly Result[] {
    const results: Result[] = []
    for (const { outcome } of this.entries) {
      if (outcome?._tag === 'done') results.push(outcome.result)
      else if (outcome?._tag === 'failed' && results.length === 0) throw outcome.cause
      else break
    }
    this.entries.splice(0, results.length)
    return results
  }

  private async finish(entry: Entry<Result>, item: Item, before: Promise<unknown>): Promise<void> {
    try {
      await before
      entry.outcome = { _tag: 'done', result: await this.work.run(item) }
    } catch (cause) {
      entry.outcome = { _tag: 'failed', cause }
    }
    this.ended()
  }
}

/** The input of a stream: the next item is asked for when there is room for it, one at a time. */
class Input<Item> {
  ended = false
  failure: Readonly<{ cause: unknown }> | undefined
  private asked = false
  private readonly source: AsyncIterator<Item>

  constructor(input: AsyncIterable<Item>) {
    this.source = input[Symbol.asyncIterator]()
  }

  /** Whether the next item may be asked for: there may be one, and nobody waits for it yet. */
  get isReady(): boolean {
    return !this.asked && !this.ended
  }

  /** Rejects never: a failure ends the input, and is told after the results of what came before it. */
  async pull(take: (item: Item) => void): Promise<void> {
    this.asked = true
    try {
      const step = await this.source.next()
      if (step.done === true) this.ended = true
      else take(step.value)
    } catch (cause) {
      this.ended = true
      this.failure = { cause }
    }
    this.asked = false
  }

  /** Nothing more is wanted. An input that waits for its own source ends when that does, and is not waited for. */
  async stop(): Promise<void> {
    try {
      if (!this.ended) await this.source.return?.()
    } catch {
      // Nobody is there any more to be told.
    }
  }
}

/**
 * Does the work for each item of a stream, several at one time, and gives the results in the order of the items: all
 * that are ready together, at least one. The input is asked for only while results are, and only as far as there is
 * room, so memory stays level whoever is slow. Who stops asking (`return`) stops the input; what was begun ends by
 * itself. When the input or the work throws, that comes after the results before it, and ends the stream.
 */
export async function* inOrder<Item, Result>(
  input: AsyncIterable<Item>,
  work: OrderedWork<Item, Result>,
): AsyncGenerator<readonly Result[]> {
  let wake = (): void => undefined
  const source = new Input(input)
  const flight = new InFlight(work, () => wake())
  try {
    for (;;) {
      const results = flight.takeReady()
      if (results.length > 0) yield results
      else if (source.ended && flight.isEmpty) break
      else {
        const woken = new Promise<void>((resolve) => (wake = resolve))
        if (flight.hasRoom && source.isReady)
          void source.pull((item) => flight.begin(item)).then(() => wake())
        await woken
      }
    }
    if (source.failure !== undefined) throw source.failure.cause
  } finally {
    void source.stop()
  }
}
