import test from 'ava'
import { lint, treeOf } from './boundary-linter.js'
import { allowed, forbidden, type Snippet } from './boundary-snippets.js'

// That no file of the repository crosses a boundary is what `npm run check:lint` says.

const numbered = (snippets: readonly (readonly [string, string])[]): readonly Snippet[] =>
  snippets.map(([place, code], index) => ({
    file: place.endsWith('.ts') ? place : `${place}/snippet-${index}.ts`,
    code,
  }))

test('every import that crosses a boundary is an error of the linter', (t) => {
  const snippets = numbered(forbidden)
  const { status, crossing } = lint(treeOf(t, snippets))
  t.not(status, 0)
  t.deepEqual(
    snippets.filter(({ file }) => !crossing.has(file)),
    [],
  )
})

test('one such import alone makes the linter fail', (t) => {
  const { status } = lint(treeOf(t, numbered([['packages/core/src', "export * from 'knex'"]])))
  t.is(status, 1)
})

test('what the packages may import is no error', (t) => {
  const { crossing } = lint(treeOf(t, numbered(allowed)))
  t.deepEqual([...crossing], [])
})
