/** How much is worked on at one time: so many items, which weigh so much together; always one, whatever it weighs. */
export type Window = Readonly<{ items: number; weight: number }>

/** What is done for each item. Items with the same key have their turns one after the other. */
export type Work<Item, Result> = Readonly<{
  window: Window
  weightOf: (item: Item) => number
  keyOf: (item: Item) => string | undefined
  run: (item: Item) => Promise<Result>
}>

type State<Result> =
  | Readonly<{ _tag: 'running' }>
  | Readonly<{ _tag: 'done'; result: Result }>
  | Readonly<{ _tag: 'failed'; cause: unknown }>

type Entry<Result> = { state: State<Result>; readonly weight: number }

/** The items that are worked on, in their order. */
export class InFlight<Item, Result> {
  private readonly entries: Entry<Result>[] = []
  /** The latest work for each key; it never rejects. */
  private readonly latest = new Map<string, Promise<void>>()
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
    const entry: Entry<Result> = { state: { _tag: 'running' }, weight: this.work.weightOf(item) }
    this.entries.push(entry)
    this.weight += entry.weight
    const before = key === undefined ? undefined : this.latest.get(key)
    const done = this.finish(entry, item, before)
    if (key === undefined) return
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

  private async finish(entry: Entry<Result>, item: Item, before: Promise<void> | undefined): Promise<void> {
    try {
      if (before !== undefined) await before
      entry.state = { _tag: 'done', result: await this.work.run(item) }
    } catch (cause) {
      entry.state = { _tag: 'failed', cause }
    }
    this.ended()
  }
}
