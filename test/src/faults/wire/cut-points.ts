import type { Pieces, WireFault } from './tcp-proxy.js'

/** Within a piece that begins at one byte and ends before another: before it, after its first byte, its middle, before its last. */
const within = (begin: number, end: number): readonly number[] => [
  ...new Set([begin, begin + 1, Math.floor((begin + end) / 2), end - 1]),
]

/** Points in the pieces that went one way when nothing failed; of very many, `most` that lie evenly. */
const pointsOf = (ends: readonly number[], most: number): readonly number[] => {
  const all = ends.flatMap((end, index) => within(ends[index - 1] ?? 0, end))
  const step = Math.max(1, all.length / most)
  return Array.from({ length: Math.min(all.length, most) }, (_, index) => all[Math.floor(index * step)] ?? 0)
}

/** Cuts before, in and after each piece that went either way when nothing failed. */
export const cutPoints = (pieces: Pieces, most = Infinity): readonly WireFault[] =>
  (['there', 'back'] as const).flatMap((way) =>
    pointsOf(pieces[way], most).map((after) => ({ kind: 'cut' as const, way, after })),
  )
