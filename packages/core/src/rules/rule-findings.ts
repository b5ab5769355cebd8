import { catalogue, type CatalogueEntry, type ErrorCode } from '../catalogue/index.js'
import { Horizon } from '../codec/findings.js'
import type { CheckContext, Findings, Reader } from '../codec/index.js'
import type { Path } from '../codec/path.js'
import { resolvePath } from '../codec/resolve-path.js'
import { severityInForce } from '../codec/severity-in-force.js'
import { below, type KeyPath, keysOf } from './key-path.js'

const noCodes: Readonly<Record<string, CatalogueEntry>> = {}

const ofService = (code: ErrorCode): CatalogueEntry => catalogue[code]

/** What rules over several fields report, with the severities in force: codes of the service and of one market. */
export class RuleFindings<Code extends string = never> {
  private readonly payload: Reader<unknown>
  private readonly findings: Findings
  private readonly codes: Readonly<Record<string, CatalogueEntry>>
  /** Made only once there are more findings than are reported, which is rare. */
  private readonly horizons: { error?: Horizon<KeyPath>; warn?: Horizon<KeyPath> } = {}

  constructor(payload: Reader<unknown>, findings: Findings, codes = noCodes) {
    this.payload = payload
    this.findings = findings
    this.codes = codes
  }

  /** The same for the rules of a market, which has codes of its own. */
  withCodes<Own extends string>(codes: Readonly<Record<Own, CatalogueEntry>>): RuleFindings<Own> {
    return new RuleFindings<Own>(this.payload, this.findings, codes)
  }

  /** What rules need besides the payload: today, the supplier's settings. */
  get context(): CheckContext {
    return this.findings.context
  }

  /**
   * Whether findings at a path or below it would come too late in document order to be reported, so that it need not
   * be validated. Asking makes a path, so it is worth it for whole lists only.
   */
  isPast(at: KeyPath): boolean {
    return this.isPastFor('error', at) && this.isPastFor('warn', at)
  }

  /** Reports a code at a path, or at a field of the object there; `undefined` is the payload. */
  add(code: Code | ErrorCode, at: KeyPath | undefined, field?: string): void {
    const published = this.codes[code] ?? ofService(code as ErrorCode)
    const severity = severityInForce(code, published, this.context.settings)
    const path = this.pathOf(field === undefined ? at : below(at, field))
    this.findings.addFinding({ path, code, published, limits: {} }, severity)
  }

  private isPastFor(severity: 'error' | 'warn', at: KeyPath | undefined): boolean {
    const last = this.findings.lastPathOf(severity)
    if (last === undefined) return false
    this.horizons[severity] ??= new Horizon<KeyPath>((path) => this.pathOf(path))
    return this.horizons[severity].isPast(at, last)
  }

  private pathOf(path: KeyPath | undefined): Path | undefined {
    return resolvePath(this.payload, keysOf(path))
  }
}
