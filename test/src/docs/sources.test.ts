import { dirname, join, normalize } from 'node:path'
import test from 'ava'
import { parseSync } from 'oxc-parser'
import { filesBelow, textOf } from '../support/repository.js'

const sourcesBelow = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) => filesBelow(folder)).filter((path) => /\.(?:ts|mts|mjs)$/.test(path))

/** What a file names by a relative path in `import`, `export … from` and `import()`; type imports are among them. */
const importsOf = (from: string): readonly string[] => {
  const text = textOf(from)
  const { module } = parseSync(from, text)
  const named = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.map((entry) => entry.moduleRequest?.value ?? ''),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ]
  return named
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(from), name)).replace(/\.js$/, '.ts'))
}

type Arrow = readonly [from: string, to: string]

/** An import counts for the innermost folder that holds both files: from one entry of it to another. */
const arrowOf = (from: string, to: string): Arrow => {
  const [left, right] = [from.split('/'), to.split('/')]
  const depth = left.findIndex((part, index) => part !== right[index]) + 1
  return [left.slice(0, depth).join('/'), right.slice(0, depth).join('/')]
}

/** The arrows that are left when what leads to no further arrow is taken away: none unless there is a circle. */
const circlesAmong = (arrows: readonly Arrow[]): readonly Arrow[] => {
  const leading = new Set(arrows.map(([from]) => from))
  const left = arrows.filter(([, to]) => leading.has(to))
  return left.length === arrows.length ? left : circlesAmong(left)
}

// The linter finds circles of files, and in the core and the server holds which folder may import which.
test('no folders of packages, examples, benches and tests import each other in a circle', (t) => {
  const files = sourcesBelow('packages', 'examples', 'bench', 'test')
  const arrows = files.flatMap((from) => importsOf(from).map((to) => arrowOf(from, to)))
  t.true(arrows.length > 1000)
  t.deepEqual(circlesAmong(arrows), [])
  const planted = [arrowOf('src/a/one.ts', 'src/b/one.ts'), arrowOf('src/b/two.ts', 'src/a/deep/two.ts')]
  t.deepEqual(circlesAmong([...planted, ['src/c', 'src/d']]), planted)
})

const sql = 'packages/adapter-sql/src/'

/** Where databases may be told apart. */
const mayTellApart = [`${sql}dialects/`, `${sql}drivers/`]

const ofOneDatabase =
  /mysql|maria|sqlite|\bER_|FORCE INDEX|INDEXED BY|ON DUPLICATE|ON CONFLICT|JSON_TABLE|json_each|schema\.name [!=]==/i

/** Lines that are of one database, and are neither comments nor imports nor exports of names. */
const linesOfOne = (path: string): readonly string[] =>
  textOf(path)
    .replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, '')
    .split('\n')
    .filter((line) => !/ from '[^']*'$/.test(line) && ofOneDatabase.test(line))
    .map((line) => `${path}: ${line.trim()}`)

test('databases are told apart in the folder of dialects alone', (t) => {
  const files = sourcesBelow(sql)
  const placeOf = (path: string) => mayTellApart.find((place) => path.startsWith(place))
  t.deepEqual(files.filter((path) => placeOf(path) === undefined).flatMap(linesOfOne), [])
  const telling = files.filter((path) => linesOfOne(path).length > 0).map(placeOf)
  t.deepEqual([...new Set(telling)].toSorted(), mayTellApart.toSorted(), 'each place does so')
})

/** Where an answer is read, possibly of a newer service, or was written long ago; and the log: GraphQL has codes of its own. */
const takeAnyText = [
  'packages/adapter-http-koa/src/context.ts',
  'packages/adapter-http-koa/src/log-entry.ts',
  'packages/http-contract/src/calls/account-import-summary.ts',
  'packages/http-contract/src/calls/transfer-status.ts',
  'packages/http-contract/src/problems/problem-body.ts',
  'packages/http-contract/src/warning-header-reader.ts',
]

test('what writes a code has it typed by the catalogue; only what reads answers takes any text', (t) => {
  const ofCore = ['catalogue', 'codec', 'rules', 'validation'].map((folder) => `packages/core/src/${folder}`)
  const writers = sourcesBelow(...ofCore, 'packages/http-contract/src', 'packages/adapter-http-koa/src')
  const untyped = writers.filter((path) =>
    /\bcode\??: (string|t\.string)\b|as ErrorCode\b(?![[)])/.test(textOf(path)),
  )
  t.deepEqual(untyped.toSorted(), takeAnyText)
})
