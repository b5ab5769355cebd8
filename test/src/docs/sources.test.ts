import test from 'ava'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'oxc-parser'
import { filesBelow, root, textOf } from '../support/repository.js'

type Shipped = Readonly<{ ours: readonly string[]; foreign: readonly string[] }>

const script = async <A>(path: string): Promise<A> =>
  (await import(`file://${root}scripts/shipped/${path}`)) as A

const { shipped } = await script<{ shipped: (packages?: object) => Shipped }>('closure.mjs')
const { isAllowed } = await script<{ isAllowed: (licence: unknown) => boolean }>('licences.mjs')

const sourcesBelow = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) => filesBelow(folder)).filter((path) => /\.(?:ts|mts|mjs)$/.test(path))

/** The relative paths of a file in `import`, `export … from` and `import()`; type imports are among them. */
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

/** The arrows that remain after arrows to ends are removed repeatedly: none unless there is a circle. */
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

/** The places that may distinguish databases. */
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

test('only the folder of dialects distinguishes databases', (t) => {
  const files = sourcesBelow(sql)
  const placeOf = (path: string) => mayTellApart.find((place) => path.startsWith(place))
  t.deepEqual(files.filter((path) => placeOf(path) === undefined).flatMap(linesOfOne), [])
  const telling = files.filter((path) => linesOfOne(path).length > 0).map(placeOf)
  t.deepEqual([...new Set(telling)].toSorted(), mayTellApart.toSorted(), 'each place does so')
})

/**
 * Code that reads a response, possibly of a newer service, or a text of earlier versions; and the log: GraphQL has codes of its
 * own.
 */
const takeAnyText = [
  'packages/adapter-http-koa/src/context.ts',
  'packages/http-contract/src/endpoints/import-runs.ts',
  'packages/http-contract/src/endpoints/state.ts',
  'packages/http-contract/src/problems.ts',
  'packages/http-contract/src/warning-headers.ts',
]

test('code that writes an error code has it typed by the catalogue', (t) => {
  const ofCore = ['catalogue', 'checking', 'codec', 'rules', 'validation'].map(
    (folder) => `packages/core/src/${folder}`,
  )
  const writers = sourcesBelow(...ofCore, 'packages/http-contract/src', 'packages/adapter-http-koa/src')
  const untyped = writers.filter((path) =>
    /\bcode\??: (string|t\.string)\b|as ErrorCode\b(?![[)])/.test(textOf(path)),
  )
  t.deepEqual(untyped.toSorted(), takeAnyText)
})

// `npm run check:shipped` checks the licences of the shipped packages.
test('a missing or not allowed licence is refused, and one allowed licence of several is enough', (t) => {
  const allowed = [
    'MIT',
    'ISC',
    '(MIT OR GPL-3.0-only)',
    'MIT AND Apache-2.0',
    '(GPL-3.0-only OR (MIT AND ISC))',
  ]
  for (const licence of allowed) t.true(isAllowed(licence), licence)
  const texts = [
    '',
    'UNLICENSED',
    'SEE LICENSE IN LICENSE.txt',
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    '(MIT OR',
  ]
  for (const licence of [undefined, { type: 'MIT' }, ...texts])
    t.false(isAllowed(licence), JSON.stringify(licence))
})

test('the dependencies of our packages and theirs are listed as shipped, and tools of tests and benches are not', (t) => {
  const { ours, foreign } = shipped()
  t.true(ours.includes('packages/core') && ours.includes('packages/adapter-sql'))
  t.true(foreign.includes('node_modules/koa') && foreign.includes('node_modules/escape-html'))
  for (const tool of ['ava', 'fast-check', 'ajv', 'fastify', 'typescript', 'smtp-server', '@types/koa'])
    t.false(foreign.includes(`node_modules/${tool}`), tool)
  for (const workspace of ['test', 'bench'])
    t.false('dependencies' in (JSON.parse(textOf(`${workspace}/package.json`)) as object), workspace)
  const planted = shipped({
    'packages/server': { dependencies: { a: '1' }, devDependencies: { tool: '1' } },
    'node_modules/a': {
      dependencies: { b: '2' },
      peerDependencies: { c: '1', d: '1' },
      peerDependenciesMeta: { d: { optional: true } },
    },
    'node_modules/a/node_modules/b': {},
    'node_modules/b': {},
    'node_modules/c': {},
    'node_modules/d': {},
    'node_modules/tool': {},
  })
  t.deepEqual(planted.foreign, ['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/c'])
})

type Manifest = Readonly<{
  version: string
  description: string
  keywords: readonly string[]
  dependencies: Readonly<Record<string, string>>
}>

const manifestOf = (place: string) => JSON.parse(textOf(`${place}package.json`)) as Manifest

test('each package has author, licence, and the other packages in its own version', (t) => {
  const address = 'https://github.com/account-import/account-import'
  const { version } = manifestOf('')
  const places = filesBelow('packages').flatMap(
    (path) => /^packages\/[^/]+(?=\/package\.json$)/.exec(path) ?? [],
  )
  t.true(places.length > 5)
  for (const place of places) {
    const manifest = manifestOf(`${place}/`)
    t.like(manifest, {
      name: place.replace('packages/', '@account-import/'),
      version,
      repository: { type: 'git', url: `git+${address}.git`, directory: place },
      homepage: `${address}/tree/main/${place}#readme`,
      bugs: `${address}/issues`,
      license: 'MIT',
      publishConfig: { access: 'public' },
      engines: { node: '>=20.19' },
      // Only the server has side effects when it is loaded: the reflection that its container needs.
      sideEffects: place === 'packages/server',
    })
    t.true(manifest.keywords.length > 3 && manifest.description.length > 20, place)
    t.is(textOf(`${place}/LICENSE`), textOf('LICENSE'), place)
    for (const [name, wanted] of Object.entries(manifest.dependencies))
      if (name.startsWith('@account-import/')) t.is(wanted, version, `${place} asks for ${name}`)
  }
})
