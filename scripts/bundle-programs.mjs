// Bundles the program `account-import` of the command line and that of the server, each into the folder bundle/ of its package. A
// server then starts in half of the processor time, because nearly two thousand modules need not be found, read and compiled one
// by one. The built packages are unchanged. Drivers and clients that load parts of themselves by name, or native code, are not
// bundled.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { writeFolder } from './write-folder.mjs'

const loadedByName = ['@duckdb/node-api', 'knex', 'libsql', 'minio', 'mysql2', 'pg']

/** Reads the source maps of the compiler, so that stack traces name lines of the sources. */
const followMaps = {
  name: 'follow maps',
  load: (id) => {
    const map = `${id}.map`
    if (!existsSync(map) || id.includes('/node_modules/')) return null
    return { code: readFileSync(id, 'utf8'), map: readFileSync(map, 'utf8') }
  },
}

const isLoadedByName = (id) => loadedByName.some((name) => id === name || id.startsWith(`${name}/`))

/** The folders of the installed packages of these modules. */
const packagesOf = (modules) => {
  const folderOf = (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'))?.[0] ?? []
  return [...new Set(modules.flatMap(folderOf))].toSorted((one, other) => (one < other ? -1 : 1))
}

/** The name, version and licence text of an installed package. Licences require their text in each copy. */
const licenceOf = (place) => {
  const { name, version, license } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
  const texts = readdirSync(place).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
  const text = texts.map((file) => readFileSync(join(place, file), 'utf8').trim()).join('\n\n')
  return `${name} ${version} (${license})\n\n${text}\n`
}

const mappings = 'packages/cli/src/convert/templates'

/** The mappings that `convert --init` writes, with their samples. */
const templates = () =>
  readdirSync(mappings, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => [`templates/${relative(mappings, path).replaceAll('\\', '/')}`, readFileSync(path)])

/** Bundles a package. `threads`: the modules that its program starts as threads, with their names beside the bundle. */
const bundled = async (place, threads) => {
  const folder = `${place}/bundle`
  const bundle = await rolldown({
    input: { main: `${place}/dist/main.js`, ...threads },
    platform: 'node',
    external: isLoadedByName,
    plugins: [followMaps],
    tsconfig: false,
  })
  const { output } = await bundle.generate({
    dir: folder,
    sourcemap: true,
    chunkFileNames: '[name]-[hash].js',
  })
  await bundle.close()
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds)
  const licences = packagesOf(modules).map(licenceOf)
  writeFolder(
    folder,
    new Map([
      ...output.map(({ fileName, code, source }) => [fileName, code ?? source]),
      ...templates(),
      ['THIRD-PARTY-LICENSES.txt', licences.join(`\n${'-'.repeat(80)}\n\n`)],
    ]),
  )
}

const worker = 'packages/cli/dist/offline/worker.js'
await bundled('packages/cli', { worker })
await bundled('packages/server', { worker, thread: 'packages/server/dist/long-bodies/thread.js' })
