import test from 'ava'
import { filesBelow, textOf } from '../support/repository.js'

const own = 'test/src/docs/glossary.test.ts'

const sourcesBelow = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) => filesBelow(folder)).filter((path) => path.endsWith('.ts') && path !== own)

const exported = /^export (?:declare )?(?:abstract )?(?:type|interface|class|const|function\*?) (\w+)/gm

const exportedNames = (path: string): readonly string[] =>
  [...textOf(path).matchAll(exported)].map(([, name = '']) => name)

const rows = textOf('docs/reference/glossary.md')
  .split('\n')
  .filter((line) => /^\| [a-z]/.test(line))
  .map((line) => line.split('|').slice(1, 3))

const words = rows.map(([word = '']) => word.trim())

/** Words that had several meanings: no name by themselves; a place is in no name at all. */
const ambiguous = /^(?:House|Line|Place|Report|Entry|Fault)$|Place(?!holder)/

/** A fault is a mistake in what somebody wrote. */
const faults = new Set([
  'ConfigFault',
  'jsonFault',
  'databaseFaults',
  'databaseUrlFault',
  'mysqlUrlFault',
  'servingFaults',
  'sqliteUrlFault',
  'TemplateFault',
  'TemplateFaults',
  'settingsFaults',
])

test('the glossary fits on a page, in the order of the alphabet, with each word once', (t) => {
  t.true(words.length > 25 && words.length < 40)
  t.deepEqual(words, [...new Set(words)].toSorted())
})

test('what the glossary calls a name in code is exported by a package', (t) => {
  const names = new Set(sourcesBelow('packages').flatMap(exportedNames))
  const told = rows.flatMap(([, means = '']) => [...means.matchAll(/`(\w*[a-z][A-Z]\w*|[A-Z]\w+)`/g)])
  const missing = told.map(([, name = '']) => name).filter((name) => !names.has(name))
  t.true(told.length > 25)
  t.deepEqual(missing, [])
})

test('no package exports a name that the glossary gives to something else', (t) => {
  const names = sourcesBelow('packages').flatMap(exportedNames)
  t.true(names.includes('RuleFindings'))
  t.deepEqual(
    names.filter((name) => ambiguous.test(name) || (/Faults?$/.test(name) && !faults.has(name))),
    [],
  )
})

test('payloads are validated, and nothing has the word that this was called by before', (t) => {
  const found = sourcesBelow('packages', 'examples', 'bench', 'test').filter((path) =>
    /jud[g]/i.test(`${path}\n${textOf(path)}`),
  )
  t.deepEqual(found, [])
})
