import type { TextPosition } from '../problems/text-position.js'

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
export const jsonFault = (text: string): TextPosition | undefined => {
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
