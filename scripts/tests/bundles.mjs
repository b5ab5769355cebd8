// Bundles the test files: the workers of AVA take a quarter less of processor time, because nearly two thousand modules need not be
// found, read and mapped.
import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/** They find files of their own beside them, or are loaded by name. */
const loaded = [
  '@duckdb/node-api',
  'ava',
  'axe-core',
  'fast-check',
  'knex',
  'libsql',
  'minio',
  'mysql2',
  'playwright-core',
]

const isLoaded = (id) => loaded.some((name) => id === name || id.startsWith(`${name}/`))

/** A built module keeps its own address, by which it finds files beside it, and its source map, so that failures name lines of sources. */
const asBuilt = {
  name: 'as built',
  load: (id) => {
    const map = `${id}.map`
    if (!existsSync(map) || id.includes('/node_modules/')) return null
    const code = readFileSync(id, 'utf8').replaceAll(
      'import.meta.url',
      JSON.stringify(pathToFileURL(id).href),
    )
    return { code, map: readFileSync(map, 'utf8') }
  },
}

/**
 * A package is one file, but the server: its commands load what they need. So is an installed library: a chunk that several others
 * need never lies in the file of one test, which would make a circle.
 */
const packageOf = (id) =>
  /.*\/node_modules\/(@[^/]+\/[^/]+|[^/]+)\//.exec(id)?.[1]?.replace('/', '-') ??
  /\/packages\/(?!server)([^/]+)\/dist\/(?!contract-tests)/.exec(id)?.[1] ??
  null

/** Writes test files, and what AVA loads before each, into a folder; named as in `test/src`. */
export const bundleTests = async (files, folder) => {
  const names = files.map((file) => file.replace(/^test\/src\//, '').replace(/\.ts$/, ''))
  const bundle = await rolldown({
    input: Object.fromEntries(
      [...names, 'support/colourless', 'codes/record-emitted'].map((name) => [name, `test/dist/${name}.js`]),
    ),
    platform: 'node',
    external: isLoaded,
    plugins: [asBuilt],
    preserveEntrySignatures: 'allow-extension',
    checks: { ineffectiveDynamicImport: false },
  })
  await bundle.write({
    dir: folder,
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: {
      groups: [{ name: packageOf, debugName: 'package' }],
      includeDependenciesRecursively: false,
    },
  })
  await bundle.close()
}
