import test from 'ava'
import { filesBelow, textOf } from '../support/repository.js'

const sources = filesBelow('packages').filter((path) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path))
const linesOf = (path: string): number => textOf(path).trimEnd().split('\n').length

test('half of the source files have at most 50 lines', (t) => {
  const sizes = sources.map(linesOf).sort((left, right) => left - right)
  const median = sizes[Math.floor(sizes.length / 2)] ?? Infinity
  t.true(sizes.length > 100)
  t.true(median <= 50, `the median is ${median}`)
})

test('no source file has more than 250 lines', (t) => {
  t.deepEqual(
    sources.filter((path) => linesOf(path) > 250),
    [],
  )
})

test('the core depends on three small libraries and nothing else', (t) => {
  const manifest = JSON.parse(textOf('packages/core/package.json')) as Record<string, object | undefined>
  t.deepEqual(Object.keys(manifest['dependencies'] ?? {}).sort(), ['fp-ts', 'io-ts', 'libphonenumber-js'])
  t.is(manifest['peerDependencies'], undefined)
  t.is(manifest['optionalDependencies'], undefined)
})
