/** Limits of a page, and of what is read ahead: of items, and of the sum of their sizes. One item of any size is always read. */
type Bounds = Readonly<{ items: number; size: number }>

/**
 * How items become pages. `prepare` begins, in the order of the items, the work of one item by itself. No page has two items of one
 * name.
 */
type PageWork<Item, Prepared> = Readonly<{
  ahead: Bounds
  most: number
  sizeOf(item: Item): number
  nameOf(item: Item): string | undefined
  prepare(item: Item): Promise<Prepared>
}>

type Waiting<Prepared> = {
  name: string | undefined
  size: number
  prepared: Promise<Prepared>
  /** Set once `prepared` has settled. */
  isReady: boolean
}

/** Removes and returns the first items that are ready and may share a page. */
const takePage = <Prepared>(waiting: Waiting<Prepared>[], most: number): readonly Waiting<Prepared>[] => {
  const names = new Set<string>()
  let count = 0
  for (const { name, isReady } of waiting) {
    const isApart = !isReady || (name !== undefined && names.has(name))
    if (count === most || (isApart && count > 0)) break
    if (name !== undefined) names.add(name)
    count += 1
  }
  return waiting.splice(0, count)
}

/**
 * A stream as pages of prepared items, in their order. While the caller works on one page, the next items are read and prepared, so
 * a page has all items that are ready when the caller asks for it, and none waits for another. Memory is bounded: items are read
 * only while pages are requested. When the caller ends the iteration (`return`), the input is stopped. An error of the input or of
 * `prepare` is thrown after the pages before it, and ends the stream.
 */
export async function* inPages<Item, Prepared>(
  input: AsyncIterable<Item> | Iterable<Item>,
  { ahead, most, sizeOf, nameOf, prepare }: PageWork<Item, Prepared>,
): AsyncGenerator<readonly Prepared[]> {
  const source = Symbol.asyncIterator in input ? input[Symbol.asyncIterator]() : input[Symbol.iterator]()
  const waiting: Waiting<Prepared>[] = []
  const held = { items: 0, size: 0 }
  const state: { isEnded: boolean; failure?: Readonly<{ cause: unknown }> } = { isEnded: false }
  let wake = (): void => undefined
  const change = (): Promise<void> => new Promise((resolve) => (wake = resolve))
  const hasRoom = (): boolean => held.items === 0 || (held.items < ahead.items && held.size < ahead.size)

  let isReading = false
  /** Reads items and prepares them as long as there is room. Never rejects. */
  const readAhead = async (): Promise<void> => {
    if (isReading || state.isEnded) return
    isReading = true
    try {
      while (hasRoom()) {
        const step = await source.next()
        if (step.done === true) {
          state.isEnded = true
          break
        }
        const item = step.value
        const next: Waiting<Prepared> = {
          name: nameOf(item),
          size: sizeOf(item),
          prepared: prepare(item),
          isReady: false,
        }
        held.items += 1
        held.size += next.size
        const isReady = (): void => {
          next.isReady = true
        }
        // A rejection is thrown with the page of the item.
        next.prepared.then(isReady, isReady)
        waiting.push(next)
        wake()
      }
    } catch (cause) {
      state.isEnded = true
      state.failure = { cause }
    }
    isReading = false
    wake()
  }

  try {
    for (;;) {
      void readAhead()
      const changed = change()
      const [first] = waiting
      if (first !== undefined) {
        await first.prepared
        const page = takePage(waiting, most)
        yield await Promise.all(page.map(({ prepared }) => prepared))
        held.items -= page.length
        for (const { size } of page) held.size -= size
      } else if (state.isEnded) break
      else await changed
    }
    if (state.failure !== undefined) throw state.failure.cause
  } finally {
    // An input that waits for its own source ends when that does; no caller is left for an error of stopping it.
    if (!state.isEnded) void Promise.resolve(source.return?.()).catch(() => undefined)
  }
}
