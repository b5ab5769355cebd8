import { catalogue, type ErrorCode } from '../catalogue/index.js'
import { compareEntries, isRepeat, toFieldError, type Entry } from './entry.js'
import type { FieldError } from './field-error.js'
import { Horizon } from './horizon.js'
import type { Location } from './location.js'
import type { Path } from './path.js'

/** How many entries are reported; if there are more, one entry after them says so. */
const REPORTED = 1000

/** Sorting whenever this many are there keeps the work per entry, and the memory, bounded whatever is sent. */
const KEPT = 4 * REPORTED

/** The errors or the warnings of a payload: keeps the first ones in document order and drops the rest. */
export class EntryList {
  private entries: Entry[] = []
  private last: Entry | undefined = undefined
  private horizon: Horizon<Location> | undefined = undefined

  /** Once there are more entries than are reported: where the last kept one stands; what comes after is dropped. */
  get lastPath(): Path | undefined {
    return this.last?.path
  }

  /** Whether all that the container at the location holds comes too late in document order to be reported. */
  isPast(at: Location): boolean {
    const last = this.last?.path
    if (last === undefined) return false
    this.horizon ??= new Horizon((location) => location.containerPath())
    return this.horizon.isPast(at, last)
  }

  add(entry: Entry): void {
    if (this.last !== undefined && compareEntries(entry, this.last) >= 0) return
    this.entries.push(entry)
    if (this.entries.length >= KEPT) this.forgetTheRest()
  }

  /** In document order; `more` closes the list if there was more than is reported. */
  report(more: ErrorCode): readonly FieldError[] {
    this.forgetTheRest()
    const errors = this.entries.slice(0, REPORTED).map(toFieldError)
    if (this.entries.length > REPORTED)
      errors.push(
        toFieldError({ path: undefined, code: more, published: catalogue[more], limits: { max: REPORTED } }),
      )
    return errors
  }

  private forgetTheRest(): void {
    const sorted = this.entries.sort(compareEntries)
    this.entries = sorted.filter((entry, index) => !isRepeat(entry, sorted[index - 1])).slice(0, REPORTED + 1)
    this.last = this.entries[REPORTED]
  }
}
