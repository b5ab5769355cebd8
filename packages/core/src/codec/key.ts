import type { ErrorCode } from '../catalogue/index.js'
import { hasControlCharacter } from './scan-text.js'
import { Text } from './text.js'

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

/**
 * key(n): a term without control characters, compared exactly. Codes: as term, then `invalid`.
 */
export const key = (max: number): Key => new Key(max)
