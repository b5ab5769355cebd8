import test from 'ava'
import { filesBelow, textOf } from '../support/repository.js'

type Manifest = Readonly<{
  name: string
  version: string
  description: string
  license: string
  keywords: readonly string[]
  homepage: string
  bugs: string
  repository: Readonly<{ type: string; url: string; directory: string }>
  publishConfig: Readonly<{ access: string }>
  sideEffects: boolean
  engines: Readonly<{ node: string }>
  dependencies: Readonly<Record<string, string>>
}>

const places = filesBelow('packages')
  .filter((path) => /^packages\/[^/]+\/package\.json$/.test(path))
  .map((path) => path.replace('/package.json', ''))

for (const place of places) {
  const manifest = JSON.parse(textOf(`${place}/package.json`)) as Manifest
  const { version } = JSON.parse(textOf('package.json')) as Manifest

  test(`${place} says whose it is, where it is kept and what it needs, and carries the licence`, (t) => {
    const address = 'https://github.com/account-import/account-import'
    t.is(manifest.name, place.replace('packages/', '@account-import/'))
    t.deepEqual(manifest.repository, { type: 'git', url: `git+${address}.git`, directory: place })
    t.is(manifest.homepage, `${address}/tree/main/${place}#readme`)
    t.is(manifest.bugs, `${address}/issues`)
    t.is(manifest.license, 'MIT')
    t.deepEqual(manifest.publishConfig, { access: 'public' })
    t.is(manifest.engines.node, '>=20.19')
    t.true(manifest.keywords.length > 3 && manifest.description.length > 20)
    // Only the server changes what others see when it is loaded: the reflection that its container needs.
    t.is(manifest.sideEffects, place === 'packages/server')
    t.is(textOf(`${place}/LICENSE`), textOf('LICENSE'))
  })

  test(`${place} has the version of the repository, and asks for the others in that version alone`, (t) => {
    t.is(manifest.version, version)
    const ours = Object.entries(manifest.dependencies).filter(([name]) => name.startsWith('@account-import/'))
    t.deepEqual(
      ours.filter(([, wanted]) => wanted !== version),
      [],
    )
  })
}
