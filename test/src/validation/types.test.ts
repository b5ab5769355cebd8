import test from 'ava'
import type { Reader } from '@account-import/core/adapter-kit'
import { freeObject, optional, struct } from '@account-import/core/testing'
import { containerCases } from './container-cases.js'
import { codesOf, find } from './support.js'
import { textCases } from './text-cases.js'
import { valueCases } from './value-cases.js'

const cases = { ...textCases, ...valueCases, ...containerCases }

for (const [name, [codec, accepted, refused]] of Object.entries(cases)) {
  test(`${name}: what fits is accepted and kept as sent`, (t) => {
    for (const value of accepted) {
      t.deepEqual(codesOf(codec, value), [], show(value))
      t.is<unknown, unknown>(readBack(codec, value), value, show(value))
    }
  })
  test(`${name}: the first check that fails gives the only code`, (t) => {
    for (const [value, expected] of refused) t.deepEqual(codesOf(codec, value), [expected], show(value))
    t.deepEqual(find(struct('x', { it: optional(codec) }), {}).errors, [])
  })
}

test('a free object takes any JSON, and is validated inside at the inner paths', (t) => {
  const holds = struct('x', { it: optional(freeObject) })
  const fine = { a: null, b: [1, 'x', { c: [[]] }, true], '': 0, 'a.b': '\u0001', d: 123_456_789.012_345 }
  t.is(find(holds, { it: fine }).value?.it, fine)
  t.deepEqual(codesOf(freeObject, null), ['null'])
  t.deepEqual(codesOf(freeObject, [1]), ['not_a_dict'])
  const broken = {
    z: 'a\0',
    a: ['x', '\ud800', [1e21, 1e-7], { deep: 0.1 + 0.2 }],
    m: 'x'.repeat(65_537),
    l: Array.from({ length: 10_001 }, () => '\0'),
    f: () => 0,
    n: NaN,
  }
  t.deepEqual(find(holds, { it: broken }).errors, [
    'it.a.1 surrogate_characters_not_allowed',
    'it.a.2.0 invalid',
    'it.a.2.1 invalid',
    'it.a.3.deep max_digits',
    'it.f invalid',
    'it.l max_length',
    'it.m max_length',
    'it.n invalid',
    'it.z null_characters_not_allowed',
  ])
})

test('inside a free object a key that cannot be shown leaves the entries at the object holding it', (t) => {
  const holds = struct('x', { it: optional(freeObject) })
  const value = { ok: { 'a b': { deeper: ['\0', '\0'] }, 'a.b': 1e21, ['k'.repeat(65)]: '\ud800' }, é: 1e21 }
  t.deepEqual(find(holds, { it: value }).errors, [
    'it invalid',
    'it.ok invalid',
    'it.ok null_characters_not_allowed',
    'it.ok surrogate_characters_not_allowed',
  ])
})

test('an object that holds itself is refused instead of followed', (t) => {
  const around: Record<string, unknown> = {}
  around['self'] = { list: [around, around] }
  t.deepEqual(
    codesOf(freeObject, around),
    ['self.list.0 invalid', 'self.list.1 invalid'].map((e) => `it.${e}`),
  )
})

const readBack = (codec: Reader<unknown>, value: unknown): unknown => {
  const { value: read } = find(struct('x', { it: optional(codec) }), { it: value })
  // An object with a field that is undefined is read as one without it, so it is no longer the same object.
  return value !== null && typeof value === 'object' && 'a' in value && value.a === undefined
    ? value
    : read?.it
}

const show = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 60)
