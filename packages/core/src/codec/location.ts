import { childPath, type Path, type PathKey } from './path.js'

/**
 * Where a container is being read. One node serves a whole object or list: its key moves from child to child,
 * so that reading a scalar allocates nothing; only a report turns it into a path.
 *
 * A key that must not be shown (section 2) is `undefined`: reports on it, and on anything below it, point at
 * the object that holds it.
 */
export class Location {
  readonly up: Location | undefined
  key: PathKey | undefined = undefined
  rank = 0
  private readonly isBelowHidden: boolean
  private container: Path | undefined = undefined

  /** `up`: the location of the value that is the container; none where there is no container, at the payload. */
  constructor(up: Location | undefined) {
    this.up = up
    this.isBelowHidden = up?.up !== undefined && (up.isBelowHidden || up.key === undefined)
  }

  /** The path of the child that the location stands at. */
  path(): Path | undefined {
    if (this.up === undefined) return undefined
    const container = this.containerPath()
    if (this.isBelowHidden || this.key === undefined) return container
    return childPath(container, this.key, this.rank)
  }

  /** The path of the container, which stays the same while it is read, so that it is made once and shared. */
  containerPath(): Path | undefined {
    this.container ??= this.up?.path()
    return this.container
  }
}

/** The location of a payload, which is the child of nothing. */
export const payloadLocation = (): Location => new Location(undefined)
