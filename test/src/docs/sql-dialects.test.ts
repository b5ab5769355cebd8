import test from 'ava'
import { filesBelow, textOf } from '../support/repository.js'

const source = 'packages/adapter-sql/src/'

/** Where databases may be told apart. A migration may do it too, as it has been released and stays as it is. */
const mayKnow = [
  `${source}dialects/`,
  `${source}drivers/`,
  `${source}migrations/write-note-identities.ts`,
  `${source}migrations/0015-personal-data.ts`,
]

const names = /mysql|maria|sqlite/i
const words = /\bER_|FORCE INDEX|INDEXED BY|ON DUPLICATE|ON CONFLICT|JSON_TABLE|json_each|schema\.name [!=]==/

/** The lines of a file that are neither comments nor imports nor exports of names. */
const codeOf = (path: string): readonly string[] =>
  textOf(path)
    .replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, '')
    .split('\n')
    .filter((line) => !/ from '[^']*'$/.test(line))

const files = filesBelow(source).filter((path) => path.endsWith('.ts'))

const linesThatKnow = (path: string): readonly string[] =>
  codeOf(path)
    .filter((line) => names.test(line) || words.test(line))
    .map((line) => `${path}: ${line.trim()}`)

test('databases are told apart in the folder of dialects alone', (t) => {
  const others = files.filter((path) => !mayKnow.some((place) => path.startsWith(place)))
  t.deepEqual(others.flatMap(linesThatKnow), [])
})

test('each place where databases may be told apart does so', (t) => {
  for (const place of mayKnow)
    t.true(files.filter((path) => path.startsWith(place)).flatMap(linesThatKnow).length > 0, place)
})
