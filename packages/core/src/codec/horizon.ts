import { comparePaths, type Path } from './path.js'

/**
 * Answers fast, for a node of a payload, whether it comes after the last path that is reported. It remembers the
 * outermost container for which that is true: all that this one holds comes later still.
 */
export class Horizon<Node extends Readonly<{ up: Node | undefined }>> {
  private readonly pathOf: (node: Node) => Path | undefined
  private past: Node | undefined = undefined

  /** `pathOf`: the path of a node. What is reported about the node is at that path or below it. */
  constructor(pathOf: (node: Node) => Path | undefined) {
    this.pathOf = pathOf
  }

  /** Whether the node comes after `last`, the last path that is reported. From call to call it only moves forward. */
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
