import { childPath, type Path, type PathKey } from './path.js'

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
