/** Filled up to a power of two by its last member: a statement for each length is prepared on each connection. */
export const filledUp = <A>(list: readonly A[]): readonly A[] => {
  const length = 2 ** Math.ceil(Math.log2(list.length))
  return Array.from({ length }, (_, index) => list[Math.min(index, list.length - 1)] as A)
}
