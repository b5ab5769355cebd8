// The built server and the test files in few files each. A server then starts in a third of the processor time, and the workers
// of AVA take a quarter less: nearly two thousand modules need not be found, read and mapped.
import { copyFileSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const server = 'packages/server'
const site = 'packages/adapter-http-koa/dist/site'

/** They find files of their own beside them, or are loaded by name. */
const loaded = ['ava', 'axe-core', 'fast-check', 'knex', 'libsql', 'minio', 'mysql2', 'playwright-core']

const isLoaded = (id) => loaded.some((name) => id === name || id.startsWith(`${name}/`))

/**
 * Writes the server into a folder inside node_modules, where it finds what it loads by name. Files that its sources find by
 * `import.meta.url` lie at the same places there: threads and processes, package.json, the pages of /docs/. Answers the path of the
 * program, which ends as that of the built one: the program says by it how it is to be called.
 */
export const bundleServer = async (folder) => {
  const bundle = await rolldown({
    input: {
      main: `${server}/dist/main.js`,
      worker: `${server}/dist/workers/worker.js`,
      thread: `${server}/dist/long-bodies/thread.js`,
      'check/worker': `${server}/dist/offline/check/worker.js`,
    },
    platform: 'node',
    external: isLoaded,
  })
  await bundle.write({ dir: join(folder, 'server/dist'), chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
  copyFileSync(`${server}/package.json`, join(folder, 'server/package.json'))
  symlinkSync(resolve(site), join(folder, 'server/site'), 'junction')
  return resolve(folder, 'server/dist/main.js')
}

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
