/** What was opened, to be closed the other way round. */
export type Closers = Readonly<{
  add<A>(resource: A, close: (resource: A) => Promise<unknown>): A
  /** Closes each once, also when it is called again or one of them fails; rejects with the first failure then. */
  close(): Promise<void>
}>

export const closers = (): Closers => {
  const all: (() => Promise<unknown>)[] = []
  return {
    add: (resource, close) => {
      all.unshift(() => close(resource))
      return resource
    },
    close: async () => {
      const outcomes: PromiseSettledResult<unknown>[] = []
      for (const each of all.splice(0)) outcomes.push(...(await Promise.allSettled([each()])))
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    },
  }
}
