/** Limits of what is read ahead: of items, and of the sum of their sizes. One item of any size is always read. */
type Bounds = Readonly<{ items: number; size: number }>

/**
 * How items become pages. `prepare` begins, in the order of the items, the work of one item by itself. A page ends with the item by
 * which its sizes reach `most.size`, and never has two items of one name.
 */
type PageWork<Item, Prepared> = Readonly<{
  ahead: Bounds
  most: Bounds
  sizeOf(item: Item): number
  prepare(item: Item): Promise<Prepared>
  pageSizeOf(prepared: Prepared): number
  nameOf(prepared: Prepared): string | undefined
}>

type Waiting<Prepared> = {
  readonly size: number
  readonly prepared: Promise<Prepared>
  /** Set once `prepared` has settled. */
  ready?: Readonly<{ name: string | undefined; pageSize: number }>
}

/** Removes and returns the first items that are ready and may share a page. The first is ready. */
const takePage = <Prepared>(waiting: Waiting<Prepared>[], most: Bounds): readonly Waiting<Prepared>[] => {
  const names = new Set<string>()
  const page = { items: 0, size: 0 }
  for (const { ready } of waiting) {
    const isApart = ready === undefined || (ready.name !== undefined && names.has(ready.name))
    if (isApart || page.items === most.items || page.size >= most.size) break
    if (ready.name !== undefined) names.add(ready.name)
    page.items += 1
    page.size += ready.pageSize
  }
  return waiting.splice(0, page.items)
}

/**
 * A stream as pages of prepared items, in their order. While the caller works on one page, the next items are read and prepared, so
 * a page has all items that are ready when the caller asks for it, and none waits for another. Memory is bounded: items are read
 * only while pages are requested, and no item or page is held once the caller has it. When the caller ends the iteration
 * (`return`), the input is stopped. An error of the input or of `prepare` is thrown after the pages before it, and ends the stream.
 */
export const inPages = <Item, Prepared>(
  input: AsyncIterable<Item> | Iterable<Item>,
  { ahead, most, sizeOf, pageSizeOf, nameOf, prepare }: PageWork<Item, Prepared>,
): AsyncIterableIterator<readonly Prepared[]> => {
  const source = Symbol.asyncIterator in input ? input[Symbol.asyncIterator]() : input[Symbol.iterator]()
  const waiting: Waiting<Prepared>[] = []
  const held = { items: 0, size: 0 }
  /** The part of `held` that the caller has. */
  let taken = { items: 0, size: 0 }
  const state: { isEnded: boolean; failure?: Readonly<{ cause: unknown }> } = { isEnded: false }
  let wake = (): void => undefined
  const change = (): Promise<void> => new Promise((resolve) => (wake = resolve))
  const hasRoom = (): boolean => held.items === 0 || (held.items < ahead.items && held.size < ahead.size)

  const begin = (item: Item): void => {
    const next: Waiting<Prepared> = { size: sizeOf(item), prepared: prepare(item) }
    held.items += 1
    held.size += next.size
    waiting.push(next)
    next.prepared.then(
      (prepared) => (next.ready = { name: nameOf(prepared), pageSize: pageSizeOf(prepared) }),
      // Thrown with the page of the item.
      () => (next.ready = { name: undefined, pageSize: 0 }),
    )
  }

  let isReading = false
  /** Reads items and prepares them as long as there is room. Never rejects. */
  const readAhead = async (): Promise<void> => {
    if (isReading || state.isEnded) return
    isReading = true
    try {
      while (!state.isEnded && hasRoom()) {
        const step = await source.next()
        // The caller may have ended the iteration meanwhile.
        if (step.done === true || state.isEnded) {
          state.isEnded = true
          break
        }
        begin(step.value)
        wake()
      }
    } catch (cause) {
      state.isEnded = true
      state.failure = { cause }
    }
    isReading = false
    wake()
  }

  const over = { done: true, value: undefined } as const
  const stop = async () => {
    // An input that waits for its own source ends when that does; no caller is left for an error of stopping it.
    if (!state.isEnded) void Promise.resolve(source.return?.()).catch(() => undefined)
    state.isEnded = true
    waiting.length = 0
    return over
  }
  const next = async (): Promise<IteratorResult<readonly Prepared[], undefined>> => {
    held.items -= taken.items
    held.size -= taken.size
    taken = { items: 0, size: 0 }
    for (;;) {
      void readAhead()
      const changed = change()
      if (waiting[0] !== undefined) break
      if (state.isEnded && state.failure !== undefined) throw state.failure.cause
      if (state.isEnded) return over
      await changed
    }
    try {
      await waiting[0].prepared
      const page = takePage(waiting, most)
      for (const { size } of page) taken = { items: taken.items + 1, size: taken.size + size }
      return { done: false, value: await Promise.all(page.map(({ prepared }) => prepared)) }
    } catch (cause) {
      await stop()
      throw cause
    }
  }
  const pages: AsyncIterableIterator<readonly Prepared[]> = {
    next,
    return: stop,
    [Symbol.asyncIterator]: () => pages,
  }
  return pages
}
