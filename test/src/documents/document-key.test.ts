import { posix, win32 } from 'node:path'
import test from 'ava'
import { isDocumentKey } from '@account-import/core/adapter-kit'
import { documentKey } from '@account-import/core/testing'
import { fc, isReplay, runs } from '../support/properties.js'

test('the key is the root, a slash and the path to the letter; an empty root is the bucket itself', (t) => {
  t.is(documentKey('levante/2025', 'bills/Año+1 %20.pdf'), 'levante/2025/bills/Año+1 %20.pdf')
  t.is(documentKey('', 'bills/1.pdf'), 'bills/1.pdf')
})

test('a root or a path that may lead outside has no key', (t) => {
  for (const path of [
    '',
    '/x',
    '../x',
    'a/../x',
    '..%2fx',
    '%252e%252e/x',
    'C:/x',
    'C:\\x',
    '..\\x',
    's3://b/x',
    '．．/x',
    'x/',
    'a//b',
  ]) {
    t.is(documentKey('levante', path), undefined, path)
    t.is(documentKey('', path), undefined, path)
    if (path !== '') t.is(documentKey(path, 'one.pdf'), undefined, path)
  }
})

test('a key ends at 1024 bytes of UTF-8 and has no lone surrogates', (t) => {
  t.is(documentKey('root', 'x'.repeat(1019))?.length, 1024)
  t.is(documentKey('root', 'x'.repeat(1020)), undefined)
  t.is(documentKey('root', 'é'.repeat(510)), undefined)
  t.is(documentKey('root', 'a\ud800b'), undefined)
  t.is(isDocumentKey('🧾'), true)
})

/** Text made of what leads out of places, whole or in pieces that join. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '.',
        '..',
        '/',
        '\\',
        '%',
        '2e',
        '%2e',
        '%2F',
        '%5c',
        '25',
        '%25',
        ':',
        '//',
        'C',
        '\u0000',
        '．',
        '／',
        '․',
        '‥',
        '%c0%ae',
        '%252e%252e',
        '%EF%BC%8E',
        '\ud800',
      ),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

const decode = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString())

/** How others may read a key. */
const interpretations: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.normalize('NFKC'),
  (text) => decode(text).normalize('NFKC'),
  (text) => decode(decode(text)).normalize('NFKC'),
]

test('property: no key leaves the root, however often it is decoded or by whose rules it is resolved', (t) => {
  let keys = 0
  const neverLeaves = fc.property(
    fc.oneof(fc.constantFrom('', 'levante', 'a/b'), hostile),
    hostile,
    (root, path) => {
      const key = documentKey(root, path)
      if (key === undefined) return
      keys++
      t.is(key, root === '' ? path : `${root}/${path}`)
      for (const read of interpretations)
        for (const rules of [posix, win32]) {
          const top = rules.resolve('/bucket', read(root))
          t.true((rules.resolve('/bucket', read(key)) + rules.sep).startsWith(top + rules.sep), key)
        }
    },
  )
  fc.assert(neverLeaves, { numRuns: runs(5000) })
  t.true(isReplay || keys > 500, `only ${keys} of the pairs had a key`)
})
