/** How much is worked on at one time: so many items, which weigh so much together; always one, whatever it weighs. */
type Window = Readonly<{ items: number; weight: number }>

/** The work for each item. Items with the same key follow one another; an item that is alone follows all, and all follow it. */
type Work<Item, Result> = Readonly<{
  window: Window
  weightOf: (item: Item) => number
  keyOf: (item: Item) => string | undefined
  isAlone?: (item: Item) => boolean
  run: (item: Item) => Promise<Result>
}>

type State<Result> =
  | Readonly<{ _tag: 'running' }>
  | Readonly<{ _tag: 'done'; result: Result }>
  | Readonly<{ _tag: 'failed'; cause: unknown }>

type Entry<Result> = { state: State<Result>; readonly weight: number; done: Promise<unknown> }

/** The items that are worked on, in their order. */
class InFlight<Item, Result> {
  private readonly entries: Entry<Result>[] = []
  /** The latest work for each key; it never rejects. */
  private readonly latest = new Map<string, Promise<void>>()
  /** The latest work that is alone; it never rejects. */
  private alone: Promise<void> | undefined
  private weight = 0
  private readonly work: Work<Item, Result>
  private readonly ended: () => void

  /** `ended` is called whenever the work for an item has ended. */
  constructor(work: Work<Item, Result>, ended: () => void) {
    this.work = work
    this.ended = ended
  }

  get isEmpty(): boolean {
    return this.entries.length === 0
  }

  get hasRoom(): boolean {
    const { items, weight } = this.work.window
    return this.isEmpty || (this.entries.length < items && this.weight < weight)
  }

  begin(item: Item): void {
    const key = this.work.keyOf(item)
    const isAlone = this.work.isAlone?.(item) === true
    const before = isAlone
      ? Promise.all(this.entries.map(({ done }) => done))
      : ((key === undefined ? undefined : this.latest.get(key)) ?? this.alone)
    const entry: Entry<Result> = {
      state: { _tag: 'running' },
      weight: this.work.weightOf(item),
      done: Promise.resolve(),
    }
    this.entries.push(entry)
    this.weight += entry.weight
    const done = this.finish(entry, item, before)
    entry.done = done
    if (isAlone) this.setAlone(done)
    else if (key !== undefined) this.setLatest(key, done)
  }

  /** All later items wait for `done` alone, which has waited for all others. */
  private setAlone(done: Promise<void>): void {
    this.latest.clear()
    this.alone = done
    void done.then(() => {
      if (this.alone === done) this.alone = undefined
    })
  }

  private setLatest(key: string, done: Promise<void>): void {
    this.latest.set(key, done)
    void done.then(() => {
      if (this.latest.get(key) === done) this.latest.delete(key)
    })
  }

  /** Takes out what has ended before anything that has not. Throws what the work for the first item threw. */
  takeReady(): readonly Result[] {
    const results: Result[] = []
    for (const { state } of this.entries) {
      if (state._tag === 'done') results.push(state.result)
      else if (state._tag === 'failed' && results.length === 0) throw state.cause
      else break
    }
    for (const { weight } of this.entries.splice(0, results.length)) this.weight -= weight
    return results
  }

  private async finish(
    entry: Entry<Result>,
    item: Item,
    before: Promise<unknown> | undefined,
  ): Promise<void> {
    try {
      if (before !== undefined) await before
      entry.state = { _tag: 'done', result: await this.work.run(item) }
    } catch (cause) {
      entry.state = { _tag: 'failed', cause }
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
  work: Work<Item, Result>,
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
