/** Finds the members of a list by a key of theirs, each group in the order of the list; none for an unknown key. */
export const grouped = <A, K>(items: readonly A[], keyOf: (item: A) => K): ((key: K) => readonly A[]) => {
  const groups = new Map<K, A[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return (key) => groups.get(key) ?? []
}
