import { E, type Either } from '@account-import/core/fp'
import { nestingLimit } from './limits.js'
import type { TextPosition, TransportRefusal } from './problems.js'

const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const colon = 0x3a

/** The index of the quote that ends a string, or the end of the bytes. */
const endOfString = (bytes: Uint8Array, start: number): number => {
  let i = start
  while (i < bytes.length && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1
  return i
}

/**
 * Counts the members of all objects in a JSON text in UTF-8. Returns undefined when arrays and objects are nested deeper than
 * `limit` levels; the outermost is level 1. One pass over the bytes refuses hostile text before a parser recurses into it. The
 * count of a text that is not JSON is arbitrary.
 */
const countMembers = (bytes: Uint8Array, limit: number): number | undefined => {
  let depth = 0
  let members = 0
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i]
    if (byte === quote) i = endOfString(bytes, i + 1)
    else if (byte === openBrace || byte === openBracket) {
      depth += 1
      if (depth > limit) return undefined
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1
    else if (byte === colon) members += 1
  }
  return members
}

const membersIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const values: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  let members = Array.isArray(value) ? 0 : values.length
  for (const one of values) members += membersIn(one)
  return members
}

/**
 * Whether a parsed value has as many object members as its text. The value has fewer when an object repeats a key, because
 * `JSON.parse` keeps only the last member. Recurses to the depth of the value.
 */
const holdsMembers = (value: unknown, members: number): boolean => membersIn(value) === members

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

/** Bytes up to which a text is parsed before its nesting is known: `JSON.parse` takes a second for five million brackets. */
const quickBytes = 131_072

/**
 * The colons after a quote in a JSON text: as many as members, or more, as a string may contain them. Undefined where a blank stands
 * before a colon.
 */
const countColons = (text: string): number | undefined => {
  let members = 0
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    const before = text.charCodeAt(at - 1)
    if (before === quote) members += 1
    else if (before <= 0x20) return undefined
  }
  return members
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The members of all objects in a value; not a number where it is nested deeper than so many levels. */
const membersWithin = (value: object, levels: number): number => {
  if (levels === 0) return Number.NaN
  let members = 0
  if (Array.isArray(value)) {
    for (const each of value as readonly unknown[])
      if (isNested(each)) members += membersWithin(each, levels - 1)
  } else
    for (const key in value) {
      const each: unknown = value[key as keyof typeof value]
      members += isNested(each) ? 1 + membersWithin(each, levels - 1) : 1
    }
  return members
}

/**
 * The value of a short text without a fault, in less time than by counting its members byte by byte; undefined where only that can
 * tell. The colons are as many as the members of the value only if no object repeats a key.
 */
const quicklyParsed = (text: string): Readonly<{ payload: unknown }> | undefined => {
  const read = parsed(text)
  if (typeof read?.payload !== 'object' || read.payload === null) return undefined
  return membersWithin(read.payload, nestingLimit) === countColons(text) ? read : undefined
}

/**
 * Decodes bytes to a JSON value and its text. Checks UTF-8 and nesting first, then parses once. A repeated key in an object is a
 * fault, so that a stored text never has a member that was not validated.
 */
export const jsonOf = (
  bytes: Uint8Array,
): Either<NotReadable, Readonly<{ payload: unknown; text: string }>> => {
  const text = textOf(bytes)
  if (text === undefined) return E.left({ _tag: 'NotUtf8' })
  const quick = bytes.length < quickBytes ? quicklyParsed(text) : undefined
  if (quick !== undefined) return E.right({ ...quick, text })
  const members = countMembers(bytes, nestingLimit)
  if (members === undefined) return E.left({ _tag: 'PayloadTooDeep' })
  const read = parsed(text)
  if (read !== undefined && holdsMembers(read.payload, members)) return E.right({ ...read, text })
  const at = jsonFault(text)
  return E.left({ _tag: 'NotJson', ...(at && { at }) })
}
