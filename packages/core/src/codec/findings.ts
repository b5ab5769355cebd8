import { catalogue, type ErrorCode, type Limits } from '../catalogue/index.js'
import type { Severity } from '../settings/severity.js'
import type { CheckContext } from './check-context.js'
import type { Finding } from './finding.js'
import { FindingList } from './finding-list.js'
import type { FieldError } from './field-error.js'
import type { Location } from './location.js'
import type { Path } from './path.js'
import { severityInForce } from './severity-in-force.js'

const noLimits: Limits = {}
const none: readonly FieldError[] = []

/** What is found while one payload is read: errors and warnings, by the severities in force. */
export class Findings {
  readonly context: CheckContext
  /** Made only when the first error is found: most payloads have none. */
  private errorList: FindingList | undefined = undefined
  private warningList: FindingList | undefined = undefined
  /** True while no codec has reported anything, not even what is switched off: all that was sent is in what was read. */
  isWhole = true

  constructor(context: CheckContext) {
    this.context = context
  }

  /** Reports a code at the child that the location points to. */
  add(at: Location, code: ErrorCode, limits: Limits = noLimits): void {
    this.isWhole = false
    const severity = this.severityOf(code)
    if (severity === 'off' || this.listOf(severity)?.isPast(at) === true) return
    this.addPath(at.path(), code, severity, limits)
  }

  /** Reports a code at any path, with a severity that the caller chose. */
  addPath(path: Path | undefined, code: ErrorCode, severity: Severity, limits: Limits = noLimits): void {
    this.addFinding({ path, code, published: catalogue[code], limits }, severity)
  }

  /** Reports a code that need not be one of the service's own. */
  addFinding(finding: Finding, severity: Severity): void {
    if (severity === 'error') (this.errorList ??= new FindingList()).add(finding)
    else if (severity === 'warn') (this.warningList ??= new FindingList()).add(finding)
  }

  /** Whether errors in the container at the location would come too late in document order to be reported. */
  isPastErrors(at: Location): boolean {
    return this.errorList?.isPast(at) === true
  }

  /** The path after which findings of the severity are no longer reported; undefined while there is none. */
  lastPathOf(severity: 'error' | 'warn'): Path | undefined {
    return this.listOf(severity)?.lastPath
  }

  /** See `severityInForce`. */
  severityOf(code: ErrorCode): Severity {
    return severityInForce(code, catalogue[code], this.context.settings)
  }

  /** True while nothing was found that makes the payload fail. */
  get isClean(): boolean {
    return this.errorList === undefined
  }

  private listOf(severity: 'error' | 'warn'): FindingList | undefined {
    return severity === 'error' ? this.errorList : this.warningList
  }

  /** In document order, at most 1 000 and one more that says so. */
  errors(): readonly FieldError[] {
    return this.errorList?.report('too_many_errors') ?? none
  }

  warnings(): readonly FieldError[] {
    return this.warningList?.report('too_many_warnings') ?? none
  }
}
