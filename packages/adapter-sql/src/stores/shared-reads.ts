const ignore = (): void => undefined

/**
 * Lets those who ask for the same thing at one time share a read, which is what most requests under load do. Each
 * gets a read that began after it asked, so the answer is as fresh as one of its own: those who come while a read
 * runs wait for the next one together.
 */
export const sharedReads = <Parts extends readonly string[], A>(
  read: (...parts: Parts) => Promise<A>,
): ((...parts: Parts) => Promise<A>) => {
  const running = new Map<string, Promise<void>>()
  const waiting = new Map<string, Promise<A>>()

  const start = (name: string, parts: Parts): Promise<A> => {
    waiting.delete(name)
    const result = read(...parts)
    const ended = result.then(ignore, ignore).then(() => {
      if (running.get(name) === ended) running.delete(name)
    })
    running.set(name, ended)
    return result
  }

  return (...parts) => {
    const name = JSON.stringify(parts)
    const next = waiting.get(name)
    if (next !== undefined) return next
    const current = running.get(name)
    if (current === undefined) return start(name, parts)
    const following = current.then(() => start(name, parts))
    waiting.set(name, following)
    return following
  }
}
