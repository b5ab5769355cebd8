import { catalogue, type ErrorCode } from '../catalogue/index.js'
import { compareFindings, isRepeat, toFieldError, type Finding } from './finding.js'
import type { FieldError } from './field-error.js'
import { Horizon } from './horizon.js'
import type { Location } from './location.js'
import type { Path } from './path.js'

/** How many findings are reported; if there are more, one finding after them says so. */
const REPORTED = 1000

/** Sorting whenever this many are there keeps the work per finding, and the memory, bounded whatever is sent. */
const KEPT = 4 * REPORTED

/** The errors or the warnings of a payload: keeps the first ones in document order and drops the rest. */
export class FindingList {
  private findings: Finding[] = []
  private last: Finding | undefined = undefined
  private horizon: Horizon<Location> | undefined = undefined

  /** Once there are more findings than are reported: where the last kept one stands; what comes after is dropped. */
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

  add(finding: Finding): void {
    if (this.last !== undefined && compareFindings(finding, this.last) >= 0) return
    this.findings.push(finding)
    if (this.findings.length >= KEPT) this.forgetTheRest()
  }

  /** In document order; `more` closes the list if there was more than is reported. */
  report(more: ErrorCode): readonly FieldError[] {
    this.forgetTheRest()
    const errors = this.findings.slice(0, REPORTED).map(toFieldError)
    if (this.findings.length > REPORTED)
      errors.push(
        toFieldError({ path: undefined, code: more, published: catalogue[more], limits: { max: REPORTED } }),
      )
    return errors
  }

  private forgetTheRest(): void {
    const sorted = this.findings.sort(compareFindings)
    this.findings = sorted
      .filter((finding, index) => !isRepeat(finding, sorted[index - 1]))
      .slice(0, REPORTED + 1)
    this.last = this.findings[REPORTED]
  }
}
