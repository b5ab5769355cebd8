import type { ErrorCode, Limits } from '../catalogue/index.js'
import type { ClosedList } from '../settings/supplier-settings.js'
import { maskCardNumbers } from '../values/card-number.js'
import { type ConversionFault, conversionFaults, isPlain } from '../values/conversion-faults.js'
import { documentPathCode } from '../values/document-path.js'
import { Codec, FAILED, type Failed } from './codec.js'
import type { Findings, Location } from './findings.js'

/** The longest string that is accepted anywhere, in bytes of UTF-8. */
export const MAX_BYTES = 65_536

/** Whether a text has more than `max` Unicode code points; a surrogate without its other half counts as one. */
export const isLongerThan = (max: number, text: string): boolean =>
  // A code point takes at most two units of the text, so a text above twice the limit need not be counted.
  text.length > max && (text.length > 2 * max || lengthOf(text) > max)

const lengthOf = (text: string): number => {
  let length = text.length
  for (let index = 1; index < text.length; index++)
    if (isPair(text.charCodeAt(index - 1), text.charCodeAt(index))) length--
  return length
}

/** Empty or white space only, by `trim`. The first character mostly decides, which is faster. */
export const isBlank = (text: string): boolean => {
  const first = text.charCodeAt(0)
  return first > 0x20 && first < 0x80 ? false : text.trim() === ''
}

/** Whether well-formed text takes more than 64 KiB. A UTF-16 unit takes at most three bytes. */
const isTooManyBytes = (text: string): boolean => {
  if (text.length * 3 <= MAX_BYTES) return false
  let bytes = text.length
  for (let index = 0; index < text.length && bytes <= MAX_BYTES; index++) {
    const unit = text.charCodeAt(index)
    // A surrogate pair takes four bytes, two for each of its units.
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return bytes > MAX_BYTES
}

/** U+0000 to U+001F and U+007F. */
const hasControlCharacter = (text: string): boolean => controlCharacter.test(text)

// oxlint-disable-next-line no-control-regex -- it matches control characters
const controlCharacter = /[\u0000-\u001f\u007f]/

const isPair = (high: number, low: number): boolean =>
  high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff

const noLimits: Limits = {}

/** A value without parts: its checks stop at the first failure (docs/reference/types.md#types-of-fields). */
export abstract class Scalar<A> extends Codec<A> {
  /** The code of the first check that fails. */
  abstract codeOf(value: unknown): ErrorCode | undefined

  /** The expected form, for the text of `invalid`; it follows `Give`. */
  abstract readonly form: string

  /** The values for the placeholders in the text of a code. */
  limitsOf(_code: ErrorCode): Limits {
    return noLimits
  }

  override read(value: unknown, at: Location, findings: Findings): A | Failed {
    const code = this.codeOf(value)
    // A value that passes all checks is an A.
    if (code === undefined) return value as A
    findings.add(at, code, code === 'invalid' ? { form: this.form } : this.limitsOf(code))
    return FAILED
  }
}

/** Text of at most `max` code points and 64 KiB. `mayBeBlank`: true for text(n), false for term(n). */
export class Text extends Scalar<string> {
  readonly _tag: string = 'Text'
  readonly form: string = 'a text in quotes'
  readonly max: number
  readonly mayBeBlank: boolean

  constructor(name: string, max: number, mayBeBlank: boolean) {
    super(name)
    this.max = max
    this.mayBeBlank = mayBeBlank
  }

  override codeOf(value: unknown): ErrorCode | undefined {
    if (typeof value !== 'string') return value === null ? 'null' : 'invalid'
    if (!this.mayBeBlank && isBlank(value)) return 'blank'
    if (value.includes('\0')) return 'null_characters_not_allowed'
    if (!value.isWellFormed()) return 'surrogate_characters_not_allowed'
    return isLongerThan(this.max, value) || isTooManyBytes(value) ? 'max_length' : undefined
  }

  override limitsOf(): Limits {
    return { max: this.max }
  }
}

/** Conversion faults that cause a warning in names and parts of addresses. */
export const inNames: readonly ConversionFault[] = [
  'missing_value_as_text',
  'wrongly_decoded_text',
  'line_break_in_text',
]

/** Conversion faults that cause a warning in numbers and identifiers. */
export const inNumbers: readonly ConversionFault[] = [
  'missing_value_as_text',
  'rewritten_identifier',
  'line_break_in_text',
]

/** A fast test: true only for a text that passes all checks; `max` must be far below 64 KiB. */
const isSurelyFine = (
  { max, mayBeBlank, warned }: Text & Readonly<{ warned: readonly ConversionFault[] }>,
  value: unknown,
): value is string =>
  typeof value === 'string' &&
  value.length <= max &&
  isPlain(value) &&
  (mayBeBlank || !isBlank(value)) &&
  (warned === inNames || conversionFaults(value, warned).length === 0)

/** Returns `read`, and reports its conversion faults in `warned`, with the severities in force. */
const withWarnings = (
  read: string | Failed,
  warned: readonly ConversionFault[],
  at: Location,
  findings: Findings,
): string | Failed => {
  if (read !== FAILED) for (const code of conversionFaults(read, warned)) findings.add(at, code)
  return read
}

/** Text that may have conversion faults. */
class ConvertedText extends Text {
  readonly warned: readonly ConversionFault[]

  constructor(name: string, max: number, mayBeBlank: boolean, warned: readonly ConversionFault[]) {
    super(name, max, mayBeBlank)
    this.warned = warned
  }

  override read(value: unknown, at: Location, findings: Findings): string | Failed {
    if (isSurelyFine(this, value)) return value
    return withWarnings(super.read(value, at, findings), this.warned, at, findings)
  }
}

/**
 * text(n): a string, may be blank. Codes: `null`, `invalid`, `null_characters_not_allowed`,
 * `surrogate_characters_not_allowed`, `max_length`; also the faults in `warned`.
 */
export const text = (max: number, warned?: readonly ConversionFault[]): Text =>
  warned === undefined
    ? new Text(`text(${max})`, max, true)
    : new ConvertedText(`text(${max})`, max, true, warned)

/** term(n): text(n) that is not blank. Codes: as text, with `blank` after `invalid`. */
export const term = (max: number, warned?: readonly ConversionFault[]): Text =>
  warned === undefined
    ? new Text(`term(${max})`, max, false)
    : new ConvertedText(`term(${max})`, max, false, warned)

class BooleanCodec extends Scalar<boolean> {
  readonly _tag = 'Boolean'
  readonly form = 'true or false, without quotes'

  override codeOf(value: unknown): ErrorCode | undefined {
    if (typeof value === 'boolean') return undefined
    return value === null ? 'null' : 'invalid'
  }
}

/** boolean: `true` or `false`, not text, not 0 or 1. Codes: `null`, `invalid`. */
export const boolean = new BooleanCodec('boolean')

export class Choice<A extends string> extends Scalar<A> {
  readonly _tag = 'Choice'
  readonly members: readonly A[]
  private readonly known: ReadonlySet<unknown>
  readonly form: string
  private readonly limits: Limits

  constructor(members: readonly A[], allowed: string) {
    super(`choice(${members.length})`)
    this.members = members
    this.known = new Set(members)
    this.limits = { allowed }
    this.form = `a text, one of: ${allowed}`
  }

  override codeOf(value: unknown): ErrorCode | undefined {
    if (this.known.has(value)) return undefined
    if (typeof value !== 'string') return value === null ? 'null' : 'invalid'
    return isBlank(value) ? 'blank' : 'invalid_choice'
  }

  override limitsOf(): Limits {
    return this.limits
  }
}

/**
 * choice: an exact member of a closed list. Codes: `null`, `invalid`, `blank`, `invalid_choice`.
 * `allowed` describes the members, if there are too many to list them.
 */
export const choice = <A extends string>(members: readonly A[], allowed?: string): Choice<A> =>
  new Choice(members, allowed ?? members.join(', '))

/**
 * The lists of values that accept any text until an operator closes one for a supplier. Payment vendors are none of them:
 * they depend on the configuration of the service, not on a supplier.
 */
export const openLists = [
  'account_roles',
  'user_detail_namespace',
  'sales_channel',
  'reason',
  'payment_type',
  'tax_type',
  'tax_unit_type',
  'billable_unit_type',
  'rate_band',
  'billable_item_type',
  'atr_type',
  'tariff_code',
  'product_code',
  'ledger_code',
] as const

/** A cache of the members of closed lists as sets; an entry ends with its settings. */
const memberSets = new WeakMap<ClosedList, ReadonlySet<string>>()

const membersOf = (list: ClosedList): ReadonlySet<string> => {
  const known = memberSets.get(list)
  if (known !== undefined) return known
  const members = new Set(list.members)
  memberSets.set(list, members)
  return members
}

export class Code extends Text {
  override readonly _tag = 'Code'
  readonly listName: (typeof openLists)[number]

  constructor(max: number, listName: (typeof openLists)[number]) {
    super(`code(${max}) ${listName}`, max, false)
    this.listName = listName
  }

  override read(value: unknown, at: Location, findings: Findings): string | Failed {
    const read = super.read(value, at, findings)
    const closed = findings.context.settings.closedLists[this.listName]
    if (closed === undefined || read === FAILED || membersOf(closed).has(read)) return read
    findings.addPath(at.path(), 'not_in_supplier_list', closed.severity)
    return closed.severity === 'error' ? FAILED : read
  }
}

/**
 * code(n): a term from an open list. Codes: as term, then `not_in_supplier_list` if the supplier's settings close
 * the list, with the severity of the closed list.
 */
export const code = (max: number, listName: (typeof openLists)[number]): Code => new Code(max, listName)

class DocumentPath extends Text {
  override readonly _tag = 'DocumentPath'
  override readonly form = 'a path such as bills/2025-01.pdf'

  override codeOf(value: unknown): ErrorCode | undefined {
    return super.codeOf(value) ?? documentPathCode(value as string)
  }
}

/**
 * path: term(1024), relative to the supplier's document root and inside it. Codes: as term, then
 * `document_path_outside_root`, `invalid`.
 */
export const documentPath = new DocumentPath('path', 1024, false)

/** From this number on JavaScript uses an exponent, which integers may not have. */
const EXPONENT = 1e21

export class Integer extends Scalar<number> {
  readonly _tag = 'Integer'
  readonly min: number
  readonly max: number
  readonly form: string

  constructor(min: number, max: number) {
    super(`integer ${min}..${max}`)
    this.min = min
    this.max = max
    this.form = `a whole number from ${min} to ${max}, without quotes`
  }

  override codeOf(value: unknown): ErrorCode | undefined {
    if (typeof value !== 'number') return value === null ? 'null' : 'invalid'
    if (!Number.isInteger(value) || Math.abs(value) >= EXPONENT) return 'invalid'
    if (value < this.min) return 'min_value'
    return value > this.max ? 'max_value' : undefined
  }

  override limitsOf(): Limits {
    return { min: this.min, max: this.max }
  }
}

/** integer a..b: a JSON number without fraction. Codes: `null`, `invalid`, `min_value`, `max_value`. */
export const integer = (min: number, max: number): Integer => new Integer(min, max)

export class Key extends Text {
  override readonly _tag = 'Key'
  override readonly form = 'a text in quotes, without tabs, line breaks and other control characters'

  constructor(max: number) {
    super(`key(${max})`, max, false)
  }

  override codeOf(value: unknown): ErrorCode | undefined {
    return super.codeOf(value) ?? (hasControlCharacter(value as string) ? 'invalid' : undefined)
  }
}

/** Key that may have conversion faults. */
class ConvertedKey extends Key {
  readonly warned: readonly ConversionFault[]

  constructor(max: number, warned: readonly ConversionFault[]) {
    super(max)
    this.warned = warned
  }

  override read(value: unknown, at: Location, findings: Findings): string | Failed {
    if (isSurelyFine(this, value)) return value
    return withWarnings(super.read(value, at, findings), this.warned, at, findings)
  }
}

/** key(n): a term without control characters, compared exactly. Codes: as term, then `invalid`; also the faults in `warned`. */
export const key = (max: number, warned?: readonly ConversionFault[]): Key =>
  warned === undefined ? new Key(max) : new ConvertedKey(max, warned)

class MaskedText extends Text {
  override readonly _tag = 'MaskedText'

  override read(value: unknown, at: Location, findings: Findings): string | Failed {
    const read = super.read(value, at, findings)
    if (read === FAILED) return FAILED
    const masked = maskCardNumbers(read)
    if (masked === read) return read
    findings.add(at, 'card_number_masked')
    // Read again, as a masked digit takes more bytes than a digit.
    return super.read(masked, at, findings)
  }
}

/**
 * masked text(n): text(n) in which all but the last four digits of each card number are replaced by `•`. Codes: as text; also
 * `card_number_masked`.
 */
export const maskedText = (max: number): Text => new MaskedText(`masked text(${max})`, max, true)
