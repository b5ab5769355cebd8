import type { Reader } from '@account-import/core/adapter-kit'

/** Values that a codec accepts, and values that it refuses with the only code that they get. */
export type TypeCase = readonly [
  codec: Reader<unknown>,
  accepted: readonly unknown[],
  refused: readonly (readonly [value: unknown, code: string])[],
]

export const astral = '😀'
/** What no text type accepts. */
export const notText = [
  [null, 'null'],
  [1, 'invalid'],
  [true, 'invalid'],
  [['a'], 'invalid'],
  [{}, 'invalid'],
] as const
export const notStorable = [
  ['a\0b', 'null_characters_not_allowed'],
  ['\ud800\0', 'null_characters_not_allowed'],
  ['a\ud800', 'surrogate_characters_not_allowed'],
  ['\udc00\ud800', 'surrogate_characters_not_allowed'],
] as const
export const blanks = ['', ' ', '\t\n', '\u00a0\u3000\u2028\ufeff'].map((blank) => [blank, 'blank'] as const)
