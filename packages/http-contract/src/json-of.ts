import { E, type Either } from '@account-import/core/fp'
import { maxValues } from '@account-import/core/payloads'
import { scan, type Overview, overviewOf } from './json-scan.js'
import type { TextPosition, TransportRefusal } from './problems.js'

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
