/** How much is worked on at one time: so many items, which weigh so much together; always one, whatever it weighs. */
export type Window = Readonly<{ items: number; weight: number }>

/** The work for each item. Items with the same key follow one another; an item that is alone follows all, and all follow it. */
export type Work<Item, Result> = Readonly<{
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
export class InFlight<Item, Result> {
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
