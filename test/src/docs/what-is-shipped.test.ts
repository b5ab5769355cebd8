import test from 'ava'
import { root, textOf } from '../support/repository.js'

type Packages = Readonly<Record<string, Readonly<{ license?: string }>>>
type Shipped = Readonly<{ packages: Packages; ours: readonly string[]; foreign: readonly string[] }>

const script = async <A>(path: string): Promise<A> =>
  (await import(`file://${root}scripts/shipped/${path}`)) as A

const { shipped } = await script<{ shipped: (packages?: object) => Shipped }>('closure.mjs')
const { isAllowed } = await script<{ isAllowed: (licence: unknown) => boolean }>('licences.mjs')
const { auditOutcome } = await script<{ auditOutcome: (stdout: string) => { kind: string; line: string } }>(
  'audit.mjs',
)

test('every package that is shipped has a licence of the allow-list', (t) => {
  const { packages, foreign } = shipped()
  t.true(foreign.length > 100)
  t.deepEqual(
    foreign.filter((place) => !isAllowed(packages[place]?.license)),
    [],
  )
})

test('another licence is refused, and so is none; of several that may be chosen one is enough', (t) => {
  for (const licence of [
    'MIT',
    'ISC',
    '(MIT OR GPL-3.0-only)',
    'MIT AND Apache-2.0',
    '(GPL-3.0-only OR (MIT AND ISC))',
  ])
    t.true(isAllowed(licence), licence)
  for (const licence of [
    undefined,
    '',
    'UNLICENSED',
    'SEE LICENSE IN LICENSE.txt',
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    '(MIT OR',
    { type: 'MIT' },
  ])
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

test('a registry that does not answer an audit is one line; what it knows of a package is a finding', (t) => {
  const refused = auditOutcome('{"message": "audit endpoint returned an error", "statusCode": 405}')
  t.deepEqual(
    [refused.kind, refused.line.includes('405'), refused.line.includes('\n')],
    ['unanswered', true, false],
  )
  t.is(auditOutcome('').kind, 'unanswered')
  t.is(auditOutcome('{"vulnerabilities": {}}').kind, 'clean')
  const found = auditOutcome('{"vulnerabilities": {"x": {"name": "x", "severity": "high"}}}')
  t.deepEqual([found.kind, found.line], ['found', 'npm audit: x (high)'])
})
