import { InFlight, type Work } from './in-flight.js'

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
