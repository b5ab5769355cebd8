import {
  catalogue,
  type CatalogueEntry,
  type ErrorCode,
  type FieldCode,
  type Limits,
  textOf,
} from '../catalogue/index.js'
import type { RuleSettings, Severity } from '../settings/supplier-settings.js'
import type { LocalDate } from '../values/instant.js'

/** A field name or list index. */
export type PathKey = string | number

/**
 * One step of a path through a payload, linked to the step above it; `undefined` is the payload itself.
 *
 * `rank` orders a step among its siblings: the index in the table of fields or in the list. Siblings outside a table
 * (unknown fields, content of free objects) have one rank and are sorted by key.
 */
export type Path = Readonly<{ up: Path | undefined; key: PathKey; rank: number; depth: number }>

export const childPath = (up: Path | undefined, key: PathKey, rank: number): Path => ({
  up,
  key,
  rank,
  depth: up === undefined ? 1 : up.depth + 1,
})

const ancestorAt = (path: Path | undefined, depth: number): Path | undefined => {
  let at = path
  while (at !== undefined && at.depth > depth) at = at.up
  return at
}

const compareSiblings = (left: Path, right: Path): number => {
  if (left.rank !== right.rank) return left.rank - right.rank
  if (left.key === right.key) return 0
  return String(left.key) < String(right.key) ? -1 : 1
}

const compareAtOneDepth = (left: Path | undefined, right: Path | undefined): number => {
  if (left === undefined || right === undefined || left === right) return 0
  return compareAtOneDepth(left.up, right.up) || compareSiblings(left, right)
}

/** Document order: fields as docs/reference/fields.md lists them, items by index, an object before its content. */
const comparePaths = (left: Path | undefined, right: Path | undefined): number => {
  if (left !== undefined && right !== undefined && left.up === right.up) return compareSiblings(left, right)
  const leftDepth = left?.depth ?? 0
  const rightDepth = right?.depth ?? 0
  const depth = Math.min(leftDepth, rightDepth)
  return compareAtOneDepth(ancestorAt(left, depth), ancestorAt(right, depth)) || leftDepth - rightDepth
}

/** The path in answers: keys joined by dots, empty for the payload itself. */
const pathText = (path: Path | undefined): string => {
  const keys: PathKey[] = []
  for (let at = path; at !== undefined; at = at.up) keys.push(at.key)
  return keys.reverse().join('.')
}

/**
 * The place in the payload that is being read. A whole object or list has one location: its key is set to each child in
 * turn, so that reading a scalar allocates nothing. A path is made only for a finding.
 *
 * A key that must not be shown (see `isShownKey`) is `undefined`: the path of a finding about it, or below it, is that of
 * the object that contains it.
 */
export class Location {
  readonly up: Location | undefined
  key: PathKey | undefined = undefined
  rank = 0
  private readonly isBelowHidden: boolean
  private container: Path | undefined = undefined

  /** `up`: the location of the container itself; undefined for the payload, which has no container. */
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

  /** The path of the container: made once for all findings in it. */
  containerPath(): Path | undefined {
    this.container ??= this.up?.path()
    return this.container
  }
}

/** The location of a payload as a whole. */
export const payloadLocation = (): Location => new Location(undefined)

/**
 * One error or warning about the input, as in answers.
 *
 * - `detail`: text for people; may change, never contains a value of the payload
 * - `code`: stable, from the catalogue, or of a market pack of the service
 * - `attr`: dot-delimited path: field names and zero-based indexes; empty for the payload itself
 */
export type FieldError = Readonly<{ detail: string; code: FieldCode; attr: string }>

/**
 * The input of validation besides the payload.
 *
 * - `settings`: of the supplier that the payload names, or the built-in ones
 * - `defaultCountry`: ISO 3166-1 alpha-2; the country of national phone numbers
 * - `today`: in the service's business time zone, read once for a request
 */
export type CheckContext = Readonly<{ settings: RuleSettings; defaultCountry: string; today: LocalDate }>

/** The context of a codec that is used as a plain io-ts type: built-in settings, and no day is in the future. */
export const plainContext: CheckContext = {
  settings: { severities: {}, closedLists: {}, internalEmailDomains: [], markets: [] },
  defaultCountry: 'ES',
  today: '9999-12-31' as LocalDate,
}

/** The severity that the supplier's settings give the code, if it is changeable; else that of its entry. */
export const severityInForce = (
  code: FieldCode,
  { changeable, severity }: CatalogueEntry,
  { severities }: Pick<RuleSettings, 'severities'>,
): Severity => (changeable ? severities[code] : undefined) ?? severity

/** A finding about a payload. `published`: the entry of the code in the catalogue or in a market pack. */
export type Finding = Readonly<{
  path: Path | undefined
  code: FieldCode
  published: CatalogueEntry
  limits: Limits
}>

/**
 * Document order, then code. Only the first of several findings with equal path and code is reported; comparing their limits
 * too makes its text independent of the order in which they were found.
 */
const compareFindings = (left: Finding, right: Finding): number =>
  comparePaths(left.path, right.path) ||
  compareText(left.code, right.code) ||
  compareText(String(left.limits.max ?? ''), String(right.limits.max ?? ''))

/** Whether two neighbours in document order have equal path and code, so that only one is reported. */
const isRepeat = (finding: Finding, before: Finding | undefined): boolean =>
  before !== undefined && finding.code === before.code && comparePaths(finding.path, before.path) === 0

const toFieldError = ({ path, code, published, limits }: Finding): FieldError => ({
  detail: textOf(published, limits),
  code,
  attr: pathText(path),
})

const compareText = (left: string, right: string): number => (left === right ? 0 : left < right ? -1 : 1)

/**
 * Decides fast whether a node of a payload comes after the last path that is reported. It caches the outermost container
 * after that path, as all content of this container is after it too.
 */
export class Horizon<Node extends Readonly<{ up: Node | undefined }>> {
  private readonly pathOf: (node: Node) => Path | undefined
  private past: Node | undefined = undefined

  /** `pathOf`: the path of a node. Findings about the node are at that path or below it. */
  constructor(pathOf: (node: Node) => Path | undefined) {
    this.pathOf = pathOf
  }

  /** Whether the node comes after `last`, the last path that is reported. `last` may only decrease between calls. */
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

/** The findings that are reported at most; if there are more, one additional finding reports that. */
const REPORTED = 1000

/** The list is sorted and cut at this length, which bounds the work per finding and the memory for any payload. */
const KEPT = 4 * REPORTED

/** The errors or the warnings of a payload: keeps the first ones in document order and drops the rest. */
class FindingList {
  private findings: Finding[] = []
  private last: Finding | undefined = undefined
  private horizon: Horizon<Location> | undefined = undefined

  /** The path of the last kept finding, if there are more than are reported: later findings are dropped. */
  get lastPath(): Path | undefined {
    return this.last?.path
  }

  /** Whether all content of the container at the location comes too late in document order to be reported. */
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

  /** In document order; `more` is added at the end if there are more findings than are reported. */
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

const noLimits: Limits = {}
const none: readonly FieldError[] = []

/** The errors and warnings of one payload, by the severities in force. */
export class Findings {
  readonly context: CheckContext
  /** Made for the first error: most payloads have none. */
  private errorList: FindingList | undefined = undefined
  private warningList: FindingList | undefined = undefined
  /** True until a codec reports a code, even one that is switched off: the result then contains all that was sent. */
  isWhole = true

  constructor(context: CheckContext) {
    this.context = context
  }

  /** Reports a code at the child of the location. */
  add(at: Location, code: ErrorCode, limits: Limits = noLimits): void {
    this.isWhole = false
    const severity = this.severityOf(code)
    if (severity === 'off' || this.listOf(severity)?.isPast(at) === true) return
    this.addPath(at.path(), code, severity, limits)
  }

  /** Reports a code at any path, with the caller's severity. */
  addPath(path: Path | undefined, code: ErrorCode, severity: Severity, limits: Limits = noLimits): void {
    this.addFinding({ path, code, published: catalogue[code], limits }, severity)
  }

  /** Reports a code of the service or of a market pack. */
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

  /** True until an error is found. */
  get isClean(): boolean {
    return this.errorList === undefined
  }

  private listOf(severity: 'error' | 'warn'): FindingList | undefined {
    return severity === 'error' ? this.errorList : this.warningList
  }

  /** In document order, at most 1 000, and one more that reports that there are others. */
  errors(): readonly FieldError[] {
    return this.errorList?.report('too_many_errors') ?? none
  }

  warnings(): readonly FieldError[] {
    return this.warningList?.report('too_many_warnings') ?? none
  }
}
