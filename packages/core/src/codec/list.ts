import { Codec, FAILED, type Failed, type Reader } from './codec.js'
import { type Findings, Location } from './findings.js'

/** The most items that a list may have. */
export const MAX_ITEMS = 10_000

export class List<A> extends Codec<readonly A[]> {
  readonly _tag = 'List'
  readonly item: Reader<A>

  constructor(item: Reader<A>) {
    super(`list of ${item.name}`)
    this.item = item
  }

  override read(value: unknown, at: Location, findings: Findings): readonly A[] | Failed {
    if (!Array.isArray(value)) {
      findings.add(at, value === null ? 'null' : 'not_a_list')
      return FAILED
    }
    const sent: readonly unknown[] = value
    if (sent.length <= MAX_ITEMS) return this.readItems(sent, new Location(at), findings) as readonly A[]
    findings.add(at, 'max_length', { max: MAX_ITEMS })
    return FAILED
  }

  /** The list that was sent; a copy only if an item could not be read or was read as something else. */
  private readItems(sent: readonly unknown[], here: Location, findings: Findings): readonly unknown[] {
    let copy: unknown[] | undefined
    for (let index = 0; index < sent.length; index++) {
      here.key = index
      here.rank = index
      const read = this.item.read(sent[index], here, findings)
      if (copy === undefined && read !== sent[index]) copy = sent.slice(0, index)
      if (copy !== undefined) copy.push(read)
    }
    return copy ?? sent
  }
}

/**
 * list of X. Codes: `null`, `not_a_list`, `max_length` (over 10 000 items, which are then not
 * looked at); those of X at the items.
 */
export const list = <A>(item: Reader<A>): List<A> => new List(item)
