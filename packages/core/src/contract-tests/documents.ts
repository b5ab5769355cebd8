import type { Documents } from '../ports/documents.js'
import { freshCode } from './builders.js'
import { casesOf, equal, right } from './contract-case.js'

/** The port, and a way to place a document under a key. */
export type DocumentsSubject = Readonly<{ documents: Documents; store(key: string): Promise<void> }>

/** Those of the keys that exist, in the order of `keys`. */
const found = async (
  { documents }: DocumentsSubject,
  keys: readonly string[],
): Promise<readonly string[]> => {
  const existing = await right(documents.existing(keys, 'LLUM'))
  equal(
    [...existing].filter((key) => !keys.includes(key)),
    [],
    'a key that was not asked for',
  )
  return keys.filter((key) => existing.has(key))
}

/** Stores every other key, and requests all. */
const distinguishes = async (subject: DocumentsSubject, names: readonly string[]): Promise<void> => {
  const root = freshCode('names')
  const keys = names.map((name) => `${root}/${name}`)
  const stored = keys.filter((_, index) => index % 2 === 0)
  for (const key of stored) await subject.store(key)
  equal(await found(subject, keys), stored)
}

const outside = [
  '',
  '/',
  '.',
  '..',
  '../x',
  'a/../../x',
  '/etc/hostname',
  'C:/x',
  '..%2fx',
  '%252e%252e/x',
  'a\\..\\x',
]

const impossible = (root: string): readonly string[] => [
  ...['', '/', '.', '..'].map((end) => `${root}/${end}`),
  ...['//one.pdf', '/./one.pdf', '/x/../one.pdf', '/one.pdf/', '/one.pdf\u0000', '/\ud800'].map(
    (end) => root + end,
  ),
  `${root}/${'long/'.repeat(300)}one.pdf`,
]

/** The contract of every object storage. */
export const documentsCases = casesOf<DocumentsSubject>('Documents', {
  'a call returns those of its keys that exist, also for no key or a repeated one': async (subject) => {
    const root = freshCode('some')
    const [stored, missing] = [`${root}/2025/01.pdf`, `${root}/2025/02.pdf`]
    equal(await found(subject, []), [])
    equal(await found(subject, [stored]), [])
    await subject.store(stored)
    equal(await found(subject, [missing, stored, missing]), [stored])
    equal([...(await right(subject.documents.existing([stored, stored], 'LLUM')))], [stored])
  },
  'names with spaces, plus signs, percent signs and other marks are exact': (subject) =>
    distinguishes(subject, [
      'a+b',
      'a b',
      'a%20b',
      'a%2Bb',
      'a b.pdf',
      'a+b.pdf',
      '100%',
      '100%25',
      "it's (1)!*",
      'its',
      'x&y=?#z',
      'x&y=',
    ]),
  'names in other scripts are exact, down to their Unicode form and case': (subject) =>
    distinguishes(subject, [
      'Año.pdf'.normalize('NFC'),
      'Año.pdf'.normalize('NFD'),
      '账单🧾.pdf',
      '账单.pdf',
      'Bill',
      'bill',
    ]),
  'a folder, the beginning of a key and a key below a document are no documents': async (subject) => {
    const root = freshCode('folder')
    await subject.store(`${root}/deep/one.pdf`)
    equal(await found(subject, [root, `${root}/deep`, `${root}/deep/one`, `${root}/deep/one.pdf/x`]), [])
  },
  'a key outside the root, or that no document can have, does not exist': async (subject) => {
    const root = freshCode('inside')
    await subject.store(`${root}/one.pdf`)
    equal(await found(subject, [...outside, ...impossible(root)]), [])
    equal(await found(subject, [`${root}/one.pdf`]), [`${root}/one.pdf`])
  },
  'one call checks hundreds of keys': async (subject) => {
    const root = freshCode('many')
    const keys = Array.from({ length: 300 }, (_, index) => `${root}/${index}.pdf`)
    const stored = keys.filter((_, index) => index % 30 === 0)
    await Promise.all(stored.map((key) => subject.store(key)))
    equal(await found(subject, keys), stored)
  },
  'concurrent calls get the answers for their own keys': async (subject) => {
    const root = freshCode('calls')
    const calls = Array.from({ length: 30 }, (_, call) =>
      [0, 1, 2].map((name) => `${root}/${call}/${name}.pdf`),
    )
    const storedOf = (keys: readonly string[]) => keys.filter((_, index) => index !== 1)
    await Promise.all(calls.flatMap(storedOf).map((key) => subject.store(key)))
    equal(await Promise.all(calls.map((keys) => found(subject, keys))), calls.map(storedOf))
  },
  'a storage that responds is ready': async ({ documents }) =>
    equal(await right(documents.ready()), undefined),
})
