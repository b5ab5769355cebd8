/** What one statement may hold at most; far below the packets that MySQL takes (16 MiB by default). */
export const maxStatementBytes = 4 * 1024 * 1024

type Limits<A> = Readonly<{ maxItems: number; maxBytes: number; bytesOf: (item: A) => number }>

/** Cuts the list into pieces within the limits; an item that alone is over them has a piece to itself. */
export const chunks = <A>(items: readonly A[], limits: Limits<A>): readonly (readonly A[])[] => {
  const pieces: A[][] = []
  let bytes = 0
  for (const item of items) {
    const size = limits.bytesOf(item)
    const piece = pieces.at(-1)
    if (piece !== undefined && piece.length < limits.maxItems && bytes + size <= limits.maxBytes) {
      piece.push(item)
      bytes += size
    } else {
      pieces.push([item])
      bytes = size
    }
  }
  return pieces
}
