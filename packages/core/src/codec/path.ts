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

/**
 * The place in the payload that is being read. One location serves a whole object or list: its key is set to each
 * child in turn, so that reading a scalar allocates nothing. A path is made only when something is reported.
 *
 * A key that must not be shown (see `isShownKey`) is `undefined`: reports on it, and on anything below it, point at
 * the object that holds it.
 */
export class Location {
  readonly up: Location | undefined
  key: PathKey | undefined = undefined
  rank = 0
  private readonly isBelowHidden: boolean
  private container: Path | undefined = undefined

  /** `up`: the location of the container itself; undefined for the payload, which is in no container. */
  constructor(up: Location | undefined) {
    this.up = up
    this.isBelowHidden = up?.up !== undefined && (up.isBelowHidden || up.key === undefined)
  }

  /** The path of the child whose key is set. */
  path(): Path | undefined {
    if (this.up === undefined) return undefined
    const container = this.containerPath()
    if (this.isBelowHidden || this.key === undefined) return container
    return childPath(container, this.key, this.rank)
  }

  /** The path of the container: made once, and shared by all that is reported in it. */
  containerPath(): Path | undefined {
    this.container ??= this.up?.path()
    return this.container
  }
}

/** The location of a payload as a whole. */
export const payloadLocation = (): Location => new Location(undefined)
