import { comparePaths, type Path } from './path.js'

/**
 * Tells in a few steps that something comes after all that can be reported, without making a path for it. It
 * remembers the outermost holder of which that is true, as it is then true of all that this one holds.
 */
export class Horizon<Node extends Readonly<{ up: Node | undefined }>> {
  private readonly pathOf: (node: Node) => Path | undefined
  private past: Node | undefined = undefined

  /** `pathOf`: where a node stands; what is reported of it stands there or below. */
  constructor(pathOf: (node: Node) => Path | undefined) {
    this.pathOf = pathOf
  }

  /** Whether the node lies after `last`, the last path that can be reported, which may move to the front only. */
  isPast(node: Node | undefined, last: Path): boolean {
    for (let at = node; at !== undefined; at = at.up) if (at === this.past) return true
    let outermost: Node | undefined
    for (let at = node; at !== undefined && comparePaths(this.pathOf(at), last) > 0; at = at.up)
      outermost = at
    if (outermost === undefined) return false
    this.past = outermost
    return true
  }
}
