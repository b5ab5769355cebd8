import { E, type Either } from '@account-import/core/fp'
import { maxValues } from '@account-import/core/payloads'
import { nestingLimit } from './limits.js'
import type { TextPosition, TransportRefusal } from './problems.js'

const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const openBrace = 0x7b
const closeBrace = 0x7d
const closeBracket = 0x5d
const colon = 0x3a
const comma = 0x2c

/** 1 for each byte that has a meaning outside of texts; most bytes have none. */
const marks = new Uint8Array(256)
for (const mark of [quote, openBracket, openBrace, closeBrace, closeBracket, colon, comma]) marks[mark] = 1

/** The index of the quote that ends a string, or the end of the bytes. */
const endOfString = (bytes: Uint8Array, start: number): number => {
  let i = start
  while (i < bytes.length && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1
  return i
}

/** Whether nothing but blanks is between the bracket at `start` and the one that ends its list or object. */
const isEmpty = (bytes: Uint8Array, start: number): boolean => {
  let i = start + 1
  while ((bytes[i] as number) <= 0x20) i += 1
  return bytes[i] === (bytes[start] as number) + 2
}

/**
 * Counts the members of all objects in a JSON text in UTF-8, or finds that it has more than `mostValues` values, or more than
 * `nestingLimit` levels of arrays and objects; the outermost value is level 1, and is not counted. One pass over the bytes refuses
 * hostile text before a parser reads it. The count of a text that is not JSON is arbitrary.
 */
const scan = (bytes: Uint8Array, mostValues: number): number | 'PayloadTooDeep' | 'TooManyValues' => {
  let depth = 0
  let members = 0
  let values = 0
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] as number
    if (marks[byte] === 0) continue
    if (byte === quote) i = endOfString(bytes, i + 1)
    else if (byte === colon) members += 1
    else if (byte === comma) values += 1
    else if (byte === openBrace || byte === openBracket) {
      depth += 1
      if (depth > nestingLimit) return 'PayloadTooDeep'
      if (!isEmpty(bytes, i)) values += 1
    } else {
      depth -= 1
      // A parser reads no further.
      if (depth <= 0) break
    }
    if (values > mostValues) return 'TooManyValues'
  }
  return members
}

/**
 * The longest list or object of a text, by the keys and indexes that lead to it, the first of several; and the fields that name its
 * account, where they are texts without escapes in their keys.
 */
export type Overview = Readonly<{
  longest: readonly (string | number)[]
  names: Readonly<{ import_supplier?: string; external_account_number?: string }>
}>

/** A text in the bytes, with its quotes. */
type Range = Readonly<{ from: number; to: number }>

/** A list or object. `key`: its place in the holder `up`; `field`: the key of the value that is read, which a list does not have. */
type Holder = {
  readonly up: Holder | undefined
  readonly key: Range | number | undefined
  readonly order: number
  field: Range | undefined
  commas: number
}

/** By its length, so that no other key is decoded. */
const nameOfLength = new Map(
  ['import_supplier', 'external_account_number'].map((name) => [name.length, name]),
)

const decoder = new TextDecoder()

/** Goes once over the bytes of a JSON text without parsing it: a parser needs a multiple of their memory. */
class Survey {
  private readonly bytes: Uint8Array
  private readonly names: Record<string, string> = {}
  private holder: Holder | undefined
  private longest: Holder | undefined
  private latest: Range = { from: 0, to: 0 }
  private holders = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  overview(): Overview {
    const { bytes } = this
    for (let i = 0; i < bytes.length; i += 1) {
      const byte = bytes[i]
      if (byte === quote) {
        this.latest = { from: i, to: endOfString(bytes, i + 1) + 1 }
        this.noteName()
        i = this.latest.to - 1
      } else if (byte === openBrace || byte === openBracket) this.begin()
      else if (byte === closeBrace || byte === closeBracket) {
        if (!this.end()) break
      } else if (byte === colon) this.setField(this.latest)
      else if (byte === comma) this.setField(undefined)
    }
    return { longest: this.keysTo(this.longest), names: this.names }
  }

  private begin(): void {
    const up = this.holder
    const key = up && (up.field ?? up.commas)
    this.holders += 1
    this.holder = { up, key, order: this.holders, field: undefined, commas: 0 }
  }

  /** Returns whether there is more of the outermost value. */
  private end(): boolean {
    const { holder, longest } = this
    if (holder === undefined) return false
    const { commas, order, up } = holder
    if (
      longest === undefined ||
      commas > longest.commas ||
      (commas === longest.commas && order < longest.order)
    )
      this.longest = holder
    this.holder = up
    return up !== undefined
  }

  /** A comma ends a field; a list has the number of commas as its index. */
  private setField(field: Range | undefined): void {
    if (this.holder === undefined) return
    this.holder.field = field
    if (field === undefined) this.holder.commas += 1
  }

  private noteName(): void {
    const { holder, latest } = this
    if (holder?.field === undefined || holder.up !== undefined) return
    const { from, to } = holder.field
    const name = nameOfLength.get(to - from - 2)
    if (name !== undefined && this.text(holder.field) === name) this.names[name] = this.text(latest) ?? ''
  }

  private text({ from, to }: Range): string | undefined {
    try {
      return JSON.parse(decoder.decode(this.bytes.subarray(from, to))) as string
    } catch {
      // A control character, or an escape that is none.
      return undefined
    }
  }

  private keysTo(holder: Holder | undefined): readonly (string | number)[] {
    const keys: (string | number)[] = []
    for (let at = holder; at?.key !== undefined; at = at.up)
      keys.push(typeof at.key === 'number' ? at.key : (this.text(at.key) ?? ''))
    return keys.toReversed()
  }
}

const overviewOf = (bytes: Uint8Array): Overview => new Survey(bytes).overview()

/** The members of all objects in a value. Recurses to its depth. */
const membersIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  let members = 0
  if (Array.isArray(value)) for (const each of value as readonly unknown[]) members += membersIn(each)
  else for (const key in value) members += 1 + membersIn(value[key as keyof typeof value])
  return members
}

const blank = /[ \t\n\r]*/y
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// oxlint-disable-next-line no-control-regex -- JSON allows no control character in a string
const characters = /[^"\\\u0000-\u001f]*/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Scans a text up to the first character that is not JSON. */
class Scanner {
  index = 0
  /** Whether the scan stopped at a key that its object already has. */
  isRepeatedKey = false
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  isJson(): boolean {
    return this.value() && this.index === this.text.length
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.index
    if (!pattern.test(this.text)) return false
    this.index = pattern.lastIndex
    return true
  }

  private take(character: string): boolean {
    if (this.text[this.index] !== character) return false
    this.index += 1
    return true
  }

  /** A value with the blanks around it. */
  private value(): boolean {
    this.skip(blank)
    return this.bare() && this.skip(blank)
  }

  private bare(): boolean {
    if (this.take('{')) return this.object()
    if (this.take('[')) return this.listed(']', () => this.value())
    return this.text[this.index] === '"' ? this.string() : this.skip(scalar)
  }

  private listed(end: string, item: () => boolean): boolean {
    this.skip(blank)
    if (this.take(end)) return true
    while (item()) {
      if (this.take(end)) return true
      if (!this.take(',')) return false
    }
    return false
  }

  private object(): boolean {
    const keys = new Set<unknown>()
    return this.listed('}', () => this.member(keys))
  }

  private member(keys: Set<unknown>): boolean {
    this.skip(blank)
    return this.key(keys) && this.skip(blank) && this.take(':') && this.value()
  }

  /** Compares decoded keys, because escapes write the same key in several ways. */
  private key(keys: Set<unknown>): boolean {
    const start = this.index
    const before = keys.size
    if (!this.string()) return false
    const written = this.text.slice(start, this.index)
    keys.add(written.includes('\\') ? JSON.parse(written) : written.slice(1, -1))
    if (keys.size > before) return true
    this.index = start
    this.isRepeatedKey = true
    return false
  }

  private string(): boolean {
    if (!this.take('"')) return false
    do this.skip(characters)
    while (this.skip(escape))
    return this.take('"')
  }
}

/**
 * The position at which a text stops being JSON, or an object repeats a key; undefined for a text without such a fault.
 * `JSON.parse` does not always report the position, and its messages quote the text. Recurses to the depth of the text.
 */
const jsonFault = (text: string): TextPosition | undefined => {
  const scanner = new Scanner(text)
  if (scanner.isJson()) return undefined
  const before = text.slice(0, scanner.index)
  const lineStart = before.lastIndexOf('\n') + 1
  return {
    line: before.split('\n').length,
    column: scanner.index - lineStart + 1,
    ...(scanner.isRepeatedKey && { isRepeatedKey: true }),
  }
}

/** Why bytes cannot be read as a JSON value. */
export type NotReadable = Extract<TransportRefusal, { _tag: 'NotUtf8' | 'NotJson' | 'PayloadTooDeep' }>

/** A text with too many values is not parsed. */
export type TooManyValues = Readonly<{ _tag: 'TooManyValues' }> & Overview

const utf8 = new TextDecoder('utf-8', { fatal: true })

const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

const parsed = (text: string): Readonly<{ payload: unknown }> | undefined => {
  try {
    return { payload: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/**
 * Decodes bytes to a JSON value and its text. Checks UTF-8, nesting and the number of values first, then parses once. A repeated key
 * in an object is a fault, so that a stored text never has a member that was not validated: `JSON.parse` keeps only the last one, so
 * the value has fewer members than its text. `mostValues`: those of an account when absent.
 */
export const jsonOf = (
  bytes: Uint8Array,
  mostValues = maxValues,
): Either<NotReadable | TooManyValues, Readonly<{ payload: unknown; text: string }>> => {
  const text = textOf(bytes)
  if (text === undefined) return E.left({ _tag: 'NotUtf8' })
  const members = scan(bytes, mostValues)
  if (members === 'TooManyValues') return E.left({ _tag: members, ...overviewOf(bytes) })
  if (members === 'PayloadTooDeep') return E.left({ _tag: members })
  const read = parsed(text)
  if (read !== undefined && membersIn(read.payload) === members) return E.right({ ...read, text })
  const at = jsonFault(text)
  return E.left({ _tag: 'NotJson', ...(at && { at }) })
}
