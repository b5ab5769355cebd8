import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'ava'
import { root, textOf } from '../support/repository.js'

const page = 'docs/reference/threat-model.md'

/** The cells of each threat: its kind, what it is, what is done, and what holds it. */
const threats = [...textOf(page).matchAll(/^\| ([STRIDE]) \| (.+) \| (.+) \| (.+) \|$/gm)]

const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(/\]\(([^)\s#]+)/g)].map(([, link = '']) => join(dirname(page), link))

test('every threat names a test, and each file that it names is there', (t) => {
  t.true(threats.length > 40, `${threats.length} threats`)
  for (const [, , threat, done = '', heldBy = ''] of threats) {
    const tests = linksIn(heldBy)
    t.true(tests.length > 0, threat)
    t.true(
      tests.every((path) => path.startsWith('test/src/') && path.endsWith('.ts')),
      threat,
    )
    for (const path of [...tests, ...linksIn(done)]) t.true(existsSync(join(root, path)), path)
  }
})

test('each kind of STRIDE is looked for, and at each border of the picture', (t) => {
  t.deepEqual([...new Set(threats.map(([, kind]) => kind))].sort(), ['D', 'E', 'I', 'R', 'S', 'T'])
  const borders = [...textOf(page).matchAll(/^## (\d)\. /gm)].map(([, border]) => border)
  t.deepEqual(borders, ['1', '2', '3', '4', '5', '6', '7', '8'])
})
