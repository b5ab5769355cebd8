/** A field name or list index. */
export type PathKey = string | number

/**
 * One step of a path through a payload, linked to the step above it; `undefined` is the payload itself.
 *
 * `rank` orders a step among its siblings: the index in the table of fields or in the list. Siblings that no table
 * orders (unknown fields, content of free objects) share a rank and sort by key.
 */
export type Path = Readonly<{ up: Path | undefined; key: PathKey; rank: number; depth: number }>

export const childPath = (up: Path | undefined, key: PathKey, rank: number): Path => ({
  up,
  key,
  rank,
  depth: up === undefined ? 1 : up.depth + 1,
})

const ancestorAt = (path: Path | undefined, depth: number): Path | undefined => {
  let at = path
  while (at !== undefined && at.depth > depth) at = at.up
  return at
}

const compareSiblings = (left: Path, right: Path): number => {
  if (left.rank !== right.rank) return left.rank - right.rank
  if (left.key === right.key) return 0
  return String(left.key) < String(right.key) ? -1 : 1
}

const compareAtOneDepth = (left: Path | undefined, right: Path | undefined): number => {
  if (left === undefined || right === undefined || left === right) return 0
  return compareAtOneDepth(left.up, right.up) || compareSiblings(left, right)
}

/** Document order: fields as docs/reference/fields.md lists them, items by index, an object before its content. */
export const comparePaths = (left: Path | undefined, right: Path | undefined): number => {
  if (left !== undefined && right !== undefined && left.up === right.up) return compareSiblings(left, right)
  const leftDepth = left?.depth ?? 0
  const rightDepth = right?.depth ?? 0
  const depth = Math.min(leftDepth, rightDepth)
  return compareAtOneDepth(ancestorAt(left, depth), ancestorAt(right, depth)) || leftDepth - rightDepth
}

/** The path as answers show it: keys joined by dots, empty for the payload itself. */
export const pathText = (path: Path | undefined): string => {
  const keys: PathKey[] = []
  for (let at = path; at !== undefined; at = at.up) keys.push(at.key)
  return keys.reverse().join('.')
}
