import type { SentPayload } from '@account-import/core'
import { E, type Either } from '@account-import/core/adapter-kit'
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
 * How many members all objects of JSON text in UTF-8 have together; undefined when arrays and objects are nested deeper than
 * `limit` levels; the outermost is level 1. One pass over the bytes, so that hostile text is refused before a parser recurses into it. Text that
 * is not JSON gets some answer.
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
 * Whether a parsed value has as many members of objects as its text had. It has fewer when a key stood twice in one object, as
 * the parser of the runtime keeps only the last of them. Descends as deep as the value is nested.
 */
const holdsMembers = (value: unknown, members: number): boolean => membersIn(value) === members

const blank = /[ \t\n\r]*/y
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// oxlint-disable-next-line no-control-regex -- JSON allows no control character in a string
const characters = /[^"\\\u0000-\u001f]*/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Goes over a text as far as it is JSON. */
class Scanner {
  index = 0
  /** Whether it has stopped before a key that its object has already. */
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

  /** Keys are compared as they are read: the same one may be written with escapes. */
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
 * Where a text ceases to be JSON, or has a key for the second time in one object; undefined where neither is so. The parser of the runtime does not always say it, and what it
 * says quotes the text. Descends as deep as the text is nested.
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

/** Why bytes are no JSON value that may be validated. */
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

/**
 * The JSON value that the bytes hold, and its text: UTF-8 without fault, not too deep, then parsed once. The value has all that
 * the text has: a key that stands twice in one object is a fault, so that nothing is kept that nobody has looked at.
 */
export const jsonOf = (bytes: Uint8Array): Either<NotReadable, Required<SentPayload>> => {
  const text = textOf(bytes)
  if (text === undefined) return E.left({ _tag: 'NotUtf8' })
  const members = countMembers(bytes, nestingLimit)
  if (members === undefined) return E.left({ _tag: 'PayloadTooDeep' })
  const read = parsed(text)
  if (read !== undefined && holdsMembers(read.payload, members)) return E.right({ ...read, text })
  const at = jsonFault(text)
  return E.left({ _tag: 'NotJson', ...(at && { at }) })
}
