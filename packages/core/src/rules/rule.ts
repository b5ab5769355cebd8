import { catalogue, type CatalogueEntry, type ErrorCode } from '../catalogue/index.js'
import { FAILED, type Failed } from '../codec/codec.js'
import { Horizon, type Path, type PathKey, severityInForce } from '../codec/findings.js'
import type { CheckContext, Findings, Reader } from '../codec/index.js'
import { resolvePath } from '../codec/struct.js'
import type { AccountPayload } from '../payloads/account.js'

/** The place of an object: its key and those of its containers; the payload is `undefined`. Only a finding makes it a `Path`. */
export type KeyPath = Readonly<{ up: KeyPath | undefined; key: PathKey }>

/** The path of a field or list item. */
export const below = (up: KeyPath | undefined, key: PathKey): KeyPath => ({ up, key })

/** The keys from the payload to the value. */
const keysOf = (path: KeyPath | undefined): readonly PathKey[] => {
  const keys: PathKey[] = []
  for (let at = path; at !== undefined; at = at.up) keys.push(at.key)
  return keys.reverse()
}

/**
 * A payload after its codec, for the rules over several fields: values that could not be read are `FAILED`, at any depth, and
 * required fields may be absent.
 */
export type Readable<A> = A extends string | number | boolean
  ? A
  : A extends readonly (infer Item)[]
    ? readonly (Readable<Item> | Failed)[]
    : A extends object
      ? { readonly [Name in keyof A]?: Readable<A[Name]> | Failed }
      : A

/** A list after its codec: absent, unreadable as a whole, or with items that may be unreadable. */
export type ReadList<A> = readonly (A | Failed)[] | Failed | undefined

/** Whether a field is present and could be read; otherwise a rule that needs it is skipped. */
export const isRead = <A>(value: A | Failed | undefined): value is A =>
  value !== undefined && value !== FAILED

const nothing: readonly never[] = []

/** The items of a list, none if it is absent or could not be read; single items may be `FAILED`. */
export const itemsOf = <A>(items: ReadList<A>): readonly (A | Failed)[] => (isRead(items) ? items : nothing)

const noCodes: Readonly<Record<string, CatalogueEntry>> = {}

const ofService = (code: ErrorCode): CatalogueEntry => catalogue[code]

/** Reports findings of rules over several fields with the severities in force: codes of the service and of one market. */
export class RuleFindings<Code extends string = never> {
  private readonly payload: Reader<unknown>
  private readonly findings: Findings
  private readonly codes: Readonly<Record<string, CatalogueEntry>>
  /** Made only if there are more findings than are reported, which is rare. */
  private readonly horizons: { error?: Horizon<KeyPath>; warn?: Horizon<KeyPath> } = {}

  constructor(payload: Reader<unknown>, findings: Findings, codes = noCodes) {
    this.payload = payload
    this.findings = findings
    this.codes = codes
  }

  /** The same findings, with the codes of a market. */
  withCodes<Own extends string>(codes: Readonly<Record<Own, CatalogueEntry>>): RuleFindings<Own> {
    return new RuleFindings<Own>(this.payload, this.findings, codes)
  }

  /** The context of rules besides the payload: today, the supplier's settings. */
  get context(): CheckContext {
    return this.findings.context
  }

  /**
   * Whether findings at a path or below it would come too late in document order to be reported, so that it need not be
   * validated. The check makes a path, so it pays only for whole lists.
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

/** An account payload after its codec. */
export type ReadAccount = Readable<AccountPayload>

/** A rule over one object of any payload, or over a list of them; `at` is its place in the payload. */
export type ObjectRule<A> = (object: A, at: KeyPath, findings: RuleFindings) => void
