/**
 * Keeps what `make` gave for a key, the least recently used leaving first. libsql frees statements only when the
 * event loop turns: preparing the same one anew for each call would let memory grow.
 */
export const cached = <A>(make: (key: string) => A, limit: number): ((key: string) => A) => {
  const kept = new Map<string, A>()
  return (key) => {
    const value = kept.get(key) ?? make(key)
    kept.delete(key)
    kept.set(key, value)
    if (kept.size > limit) {
      const oldest = kept.keys().next()
      if (oldest.done !== true) kept.delete(oldest.value)
    }
    return value
  }
}
