// Bundles the test files. The workers of AVA then need a quarter less of processor time, because nearly two thousand modules need
// not be found, read and mapped.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/** Packages that find their own files beside them, or are loaded by name. */
const loaded = [
  '@duckdb/node-api',
  'axe-core',
  'fast-check',
  'knex',
  'libsql',
  'minio',
  'mysql2',
  'pg',
  'playwright-core',
]

const isLoaded = (id) => loaded.some((name) => id === name || id.startsWith(`${name}/`))

/** Threads of tests. Those of the programs are in their bundles. */
const thread = 'faults/hostile/service/thread'

const addressOf = (path) => JSON.stringify(pathToFileURL(path).href)

/**
 * A built module keeps its own address, by which it finds files beside it, and its source map, so that failures name lines of
 * sources. Threads start from bundles: modules of a program have the address of its bundle, and the module that starts a thread
 * of tests has an address beside the bundle of that thread.
 */
const asBuilt = (folder) => ({
  name: 'as built',
  load: (id) => {
    const map = `${id}.map`
    if (!existsSync(map) || id.includes('/node_modules/')) return null
    const built = readFileSync(id, 'utf8')
    const startsThread = id.includes('/test/dist/') && built.includes('new Worker(')
    const program = /\/packages\/(cli|server)\/dist\//.exec(id)?.[1]
    const address =
      program === undefined
        ? startsThread
          ? `${folder}/${thread}.js`
          : id
        : `packages/${program}/bundle/main.js`
    return { code: built.replaceAll('import.meta.url', addressOf(address)), map: readFileSync(map, 'utf8') }
  },
})

/**
 * A package is one file, except the programs, whose commands load only the code that they need. An installed library is one file
 * too: a chunk that several others need is then never in the file of one test, which would cause a circular import.
 */
const packageOf = (id) =>
  /.*\/node_modules\/(@[^/]+\/[^/]+|[^/]+)\//.exec(id)?.[1]?.replace('/', '-') ??
  /\/packages\/(?!(?:cli|server)\/)([^/]+)\/dist\/(?!contract-tests)/.exec(id)?.[1] ??
  null

const nameOf = (file) => file.replace(/^test\/src\//, '').replace(/\.ts$/, '')

const builtOf = (name) => fileURLToPath(new URL(`../../test/dist/${name}.js`, import.meta.url))

/**
 * The title of a test names its file in the group, as AVA does for a single file. Tests of a group do not wait, so they run one
 * after the other without delay.
 */
const titled = (file) => `import ava from 'ava'
const test = (title, ...rest) => ava.serial('${file} › ' + title, ...rest)
export default Object.assign(test, { serial: test })`

/** One program loads the files of a group. */
const grouped = (groups) => {
  const groupOf = new Map(
    [...groups].flatMap(([group, names]) => names.map((name) => [builtOf(name), group])),
  )
  return {
    name: 'grouped',
    resolveId: (id, importer) => {
      if (id.startsWith('\0group:')) return id
      if (id !== 'ava') return null
      const group = groupOf.get(importer)
      if (group === undefined) return { id, external: true }
      return `\0ava:${relative(builtOf(group).replace(/\.js$/, ''), importer).replace(/\.test\.js$/, '')}`
    },
    load: (id) => {
      const [, kind, what] = /^\0(group|ava):(.*)$/.exec(id) ?? []
      if (kind === 'ava') return titled(what)
      if (kind === undefined) return null
      return groups
        .get(what)
        .map((name) => `import ${JSON.stringify(builtOf(name))}`)
        .join('\n')
    },
  }
}

/**
 * Writes programs of test files, with the modules that AVA loads before each, into a folder. Returns the files of each program by
 * its path. A program has the name of its file in `test/src`, or of the group of the file by `groupOf`: one thread of AVA then
 * runs the whole group. `isOutside`: packages that are not bundled.
 */
export const bundleTests = async (
  files,
  folder,
  { groupOf = () => undefined, isOutside = () => false } = {},
) => {
  const groups = new Map()
  const programs = new Map()
  for (const file of files) {
    const name = nameOf(file)
    const group = groupOf(file)
    const program = `${folder}/${group === undefined ? name : group + '.test'}.js`
    programs.set(program, [...(programs.get(program) ?? []), file])
    if (group !== undefined) groups.set(group, [...(groups.get(group) ?? []), name])
  }
  const alone = files.filter((file) => groupOf(file) === undefined).map(nameOf)
  const bundle = await rolldown({
    input: Object.fromEntries([
      ...[...alone, 'support/colourless', 'codes/record-emitted', thread].map((name) => [
        name,
        builtOf(name),
      ]),
      ...[...groups.keys()].map((group) => [`${group}.test`, `\0group:${group}`]),
    ]),
    platform: 'node',
    external: (id) => isLoaded(id) || isOutside(id),
    tsconfig: false,
    plugins: [grouped(groups), asBuilt(folder)],
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
  return programs
}
