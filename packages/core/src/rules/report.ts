import type { ErrorCode } from '../catalogue/index.js'
import { Horizon } from '../codec/horizon.js'
import type { CheckContext, Findings, Reader } from '../codec/index.js'
import type { Path } from '../codec/path.js'
import { resolvePath } from '../codec/resolve-path.js'
import { below, keysOf, type Place } from './place.js'

/** What rules over several fields report, with the severities in force. */
export class Report {
  private readonly payload: Reader<unknown>
  private readonly findings: Findings
  /** Made when there is something that is past; mostly there is not. */
  private readonly horizons: { error?: Horizon<Place>; warn?: Horizon<Place> } = {}

  constructor(payload: Reader<unknown>, findings: Findings) {
    this.payload = payload
    this.findings = findings
  }

  /** What is judged by besides the payload: today, the supplier's settings. */
  get context(): CheckContext {
    return this.findings.context
  }

  /**
   * Whether nothing can be reported any more at a place or below it, so that there is nothing to judge there. Takes
   * making a path, so it is worth to ask for whole lists.
   */
  isPast(at: Place): boolean {
    return this.isPastFor('error', at) && this.isPastFor('warn', at)
  }

  /** Reports a code at a place, or at a field of the object that stands there; `undefined` is the payload. */
  add(code: ErrorCode, at: Place | undefined, field?: string): void {
    const severity = this.findings.severityOf(code)
    if (severity === 'off' || this.isPastFor(severity, at)) return
    this.findings.addPath(this.pathOf(field === undefined ? at : below(at, field)), code, severity)
  }

  private isPastFor(severity: 'error' | 'warn', at: Place | undefined): boolean {
    const last = this.findings.lastPathOf(severity)
    if (last === undefined) return false
    this.horizons[severity] ??= new Horizon<Place>((place) => this.pathOf(place))
    return this.horizons[severity].isPast(at, last)
  }

  private pathOf(place: Place | undefined): Path | undefined {
    return resolvePath(this.payload, keysOf(place))
  }
}
