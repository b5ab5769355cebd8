import test from 'ava'
import { rememberedDocuments } from '@account-import/core'
import { isDocumentKey } from '@account-import/core/adapter-kit'
import { documentKey, documentPathCode } from '@account-import/core/testing'
import { failing, inMemoryDocuments } from '@account-import/core/in-memory'
import { posix, win32 } from 'node:path'
import { answer } from '../support/answers.js'
import { fc, holds, isReplay, runs } from '../support/properties.js'
import { settableClock } from '../support/settable-clock.js'
import { noted } from '../use-cases/support/service.js'

test('the key of a document is root, slash and exact path, or the path alone when the root is empty', (t) => {
  t.is(documentKey('levante/2025', 'bills/Año+1 %20.pdf'), 'levante/2025/bills/Año+1 %20.pdf')
  t.is(documentKey('', 'bills/1.pdf'), 'bills/1.pdf')
})

test('a root or a path that may lead outside the root has no key', (t) => {
  const paths = ' /x ../x a/../x ..%2fx %252e%252e/x C:/x C:\\x ..\\x s3://b/x ．．/x x/ a//b'.split(' ')
  for (const path of paths) {
    t.is(documentKey('levante', path), undefined, path)
    t.is(documentKey('', path), undefined, path)
    if (path !== '') t.is(documentKey(path, 'one.pdf'), undefined, path)
  }
})

test('a key has at most 1024 bytes of UTF-8 and no lone surrogates', (t) => {
  t.is(documentKey('root', 'x'.repeat(1019))?.length, 1024)
  t.is(documentKey('root', 'x'.repeat(1020)), undefined)
  t.is(documentKey('root', 'é'.repeat(510)), undefined)
  t.is(documentKey('root', 'a\ud800b'), undefined)
  t.is(isDocumentKey('🧾'), true)
})

/** Texts of parts that can lead outside, whole or in pieces that join. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'. .. / \\ % 2e %2e %2F %5c 25 %25 : // C \u0000 ． ／ ․ ‥ %c0%ae %252e%252e %EF%BC%8E \ud800'.split(
          ' ',
        ),
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

test('property: no key leaves its root, however often it is decoded and by any rules', (t) => {
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

/** The rule in docs/reference/types.md, simple and slow: every interpretation is decoded and normalised as a whole. */
const codeByTheBook = (path: string): string | undefined => {
  const once = decoded(path)
  const interpretations = [path, once, decoded(once)].map((interpretation) =>
    interpretation.normalize('NFKC'),
  )
  if (
    interpretations.some((interpretation) =>
      /^[/\\]|^\p{L}:|:\/\/|(?:^|[/\\])\.\.(?:$|[/\\])/u.test(interpretation),
    )
  )
    return 'document_path_outside_root'
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  const isForbidden = interpretations.some((interpretation) => /[\u0000-\u001f\u007f\\]/.test(interpretation))
  return isForbidden || /(?:^|\/)\.?(?:\/|$)/.test(interpretations[0] ?? '') ? 'invalid' : undefined
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

const decoded = (text: string): string =>
  text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => utf8.decode(Buffer.from(run.replaceAll('%', ''), 'hex')))

/** Above these planes only the block of compatibility ideographs changes in NFKC: of the others some do. */
const stepAfter = (point: number): number =>
  point < 0x2_0000 || (point >= 0x2_f800 && point < 0x2_fa20) ? 1 : 16

const characters = function* (): Generator<string> {
  for (let point = 1; point < 0x11_0000; point += stepAfter(point))
    if (point < 0xd800 || point > 0xdfff) yield String.fromCodePoint(point)
}

test('each Unicode character acts in a path as its NFKC form does', (t) => {
  const different: string[] = []
  for (const character of characters()) {
    // The first value: whether it is a letter; the second: the dots and slashes in its parts.
    const paths = [`${character}:a/b`, `a/${character}/.${character}`]
    for (const path of paths) if (documentPathCode(path) !== codeByTheBook(path)) different.push(path)
  }
  t.deepEqual(different, [])
})

const pieces = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('.', '/', '\\', ':', '%', 'a', '2', '5', 'c', 'F', 'é', '\ufeff', '\u0301'),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom(...'%2e %2F %5c %3A %25 %252e %c3%a9 %C3 %a9 %ef%bb%bf %00 %ff'.split(' ')),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(...'… ‥ ․ ℀ ⒈ ⩴ ： ／ ＼ ﹕ ︰ ㏂ ﷺ 🄀 ﬀ ª'.split(' ')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
)

const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)

test('property: a path is refused when one of its three interpretations is refused', (t) => {
  const paths = fc
    .array(pieces, { maxLength: 12 })
    .map((parts) => parts.join(''))
    .filter(isWellFormed)
  holds(t, 20_000, [paths], (path) => documentPathCode(path) === codeByTheBook(path))
})

/** Remembered documents over a set that may change, and the keys that were requested from it. */
const world = (options: Parameters<typeof rememberedDocuments>[2] = {}) => {
  const stored = new Set<string>()
  const { documents, questions } = noted(inMemoryDocuments(stored))
  const clock = settableClock()
  const remembered = rememberedDocuments(documents, clock, options)
  const existing = (...keys: readonly string[]) => answer(remembered.existing(keys, 'LLUM'))
  return { stored, questions, clock, existing }
}

test('the remembering port asks again for missing documents, not for found ones', async (t) => {
  const { stored, questions, existing } = world()
  stored.add('a/1.pdf')
  for (const _ of [1, 2]) t.deepEqual(await existing('a/1.pdf', 'a/2.pdf'), new Set(['a/1.pdf']))
  t.deepEqual(questions, [['a/1.pdf', 'a/2.pdf'], ['a/2.pdf']])
  stored.add('a/2.pdf')
  t.deepEqual(await existing('a/1.pdf', 'a/2.pdf'), new Set(['a/1.pdf', 'a/2.pdf']))
  t.deepEqual(await existing('a/2.pdf'), new Set(['a/2.pdf']))
  t.is(questions.length, 3)
})

test('the remembering port keys documents by root and path', async (t) => {
  const { stored, questions, existing } = world()
  stored.add('levante/1.pdf')
  await existing('levante/1.pdf')
  t.deepEqual(await existing('poniente/1.pdf'), new Set())
  t.deepEqual(await existing('levante/1.PDF'), new Set())
  t.is(questions.length, 3)
})

test('the remembering port asks again after a minute, and when the clock went back', async (t) => {
  const { stored, questions, clock, existing } = world()
  stored.add('1.pdf')
  await existing('1.pdf')
  stored.delete('1.pdf')
  clock.advance(50)
  t.deepEqual(await existing('1.pdf'), new Set(['1.pdf']))
  clock.advance(10)
  t.deepEqual(await existing('1.pdf'), new Set())
  t.is(questions.length, 2)
  stored.add('1.pdf')
  await existing('1.pdf')
  clock.advance(-3600)
  stored.delete('1.pdf')
  t.deepEqual(await existing('1.pdf'), new Set())
})

test('the remembering port keeps a limited number of documents, the latest used', async (t) => {
  const { stored, questions, existing } = world({ mostEntries: 2 })
  for (const key of ['1', '2', '3']) {
    stored.add(key)
    await existing(key)
  }
  t.is(questions.length, 3)
  await existing('3', '2')
  t.is(questions.length, 3)
  await existing('1')
  t.is(questions.length, 4)
  await existing('2')
  t.is(questions.length, 4)
  await existing('3')
  t.is(questions.length, 5)
  const many = Array.from({ length: 50 }, (_, index) => `many-${index}`)
  for (const key of many) stored.add(key)
  t.deepEqual(await existing(...many), new Set(many))
  await existing(...many)
  t.is(questions.at(-1)?.length, 48)
})

test('the remembering port keeps no failure, and a failure does not remove what it keeps', async (t) => {
  const stored = new Set(['1', '2'])
  const remembered = rememberedDocuments(
    failing(inMemoryDocuments(stored), 'existing', { nth: 2, times: 1 }),
    settableClock(),
  )
  await answer(remembered.existing(['1'], 'LLUM'))
  t.is((await remembered.existing(['1', '2'], 'LLUM'))._tag, 'Left')
  t.deepEqual(await answer(remembered.existing(['1', '2'], 'LLUM')), new Set(['1', '2']))
})

test('the remembering port asks for readiness each time', async (t) => {
  const remembered = rememberedDocuments(
    failing(inMemoryDocuments(new Set()), 'ready', { nth: 2, times: 1 }),
    settableClock(),
  )
  const answers = [await remembered.ready(), await remembered.ready(), await remembered.ready()]
  const tags = answers.map(({ _tag }) => _tag)
  t.deepEqual(tags, ['Right', 'Left', 'Right'])
})
