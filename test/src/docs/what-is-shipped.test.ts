import test from 'ava'
import { filesBelow, root, textOf } from '../support/repository.js'

type Shipped = Readonly<{ ours: readonly string[]; foreign: readonly string[] }>

const script = async <A>(path: string): Promise<A> =>
  (await import(`file://${root}scripts/shipped/${path}`)) as A

const { shipped } = await script<{ shipped: (packages?: object) => Shipped }>('closure.mjs')
const { isAllowed } = await script<{ isAllowed: (licence: unknown) => boolean }>('licences.mjs')

// That what is shipped has such a licence is what `npm run check:shipped` says.
test('another licence is refused, and so is none; of several that may be chosen one is enough', (t) => {
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

test('what a package of ours asks for is shipped with what that asks for, and tools of tests and benches are not', (t) => {
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

test('each package says whose it is, carries the licence, and asks for the others in its own version alone', (t) => {
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
      // Only the server changes what others see when it is loaded: the reflection that its container needs.
      sideEffects: place === 'packages/server',
    })
    t.true(manifest.keywords.length > 3 && manifest.description.length > 20, place)
    t.is(textOf(`${place}/LICENSE`), textOf('LICENSE'), place)
    for (const [name, wanted] of Object.entries(manifest.dependencies))
      if (name.startsWith('@account-import/')) t.is(wanted, version, `${place} asks for ${name}`)
  }
})
