import { MAX_ITEMS } from '@account-import/core/adapter-kit'
import { list, struct, optional, text } from '@account-import/core/testing'
import { type TypeCase } from './type-case.js'

/** Objects and lists. */
export const containerCases: Readonly<Record<string, TypeCase>> = {
  object: [
    struct('object', { a: optional(text(1)) }),
    [{}, { a: 'x' }, Object.create(null), { a: undefined }],
    [
      [null, 'null'],
      [[], 'not_a_dict'],
      ['{}', 'not_a_dict'],
      [1, 'not_a_dict'],
      [new Date(0), 'not_a_dict'],
      [new Map(), 'not_a_dict'],
    ],
  ],
  list: [
    list(text(1)),
    [[], ['a', 'b'], Array.from({ length: MAX_ITEMS }, () => 'a')],
    [
      [null, 'null'],
      [{}, 'not_a_list'],
      ['a', 'not_a_list'],
      [{ 0: 'a', length: 1 }, 'not_a_list'],
      [Array.from({ length: MAX_ITEMS + 1 }, () => null), 'max_length'],
    ],
  ],
}
