// The test files of the project, its parts, and how AVA names files before their tests' titles.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { coreTestFolders } from '../in-memory-tests.mjs'

const root = 'test/src/'

const allFiles = () =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => root + file.replaceAll('\\', '/'))

/**
 * A test that kills servers, cuts connections, waits for time limits or sends thousands of requests has this in its name, and
 * runs only in `npm run test:long`, so that `npm test` is fast.
 */
const long = /\.long\.(?:\w+\.)?test\.ts$/

/** A file with nothing but tests on a database server has this in its name. */
const onServersAlone = /\.(?:mariadb|galera)\.test\.ts$/

/** The helpers by which a test file has tests on a database server beside others. */
const serverHelpers = /\b(?:onEach|onServers|onMariaDb|registerBackends|mariaDbAvailable)\(/

const usesServer = (file) => onServersAlone.test(file) || serverHelpers.test(readFileSync(file, 'utf8'))

const chosen = {
  quick: (file) => !long.test(file) && !onServersAlone.test(file),
  servers: (file) => !long.test(file) && usesServer(file),
  long: (file) => long.test(file),
}

/** The test files of a run, `quick`, `servers` or `long`; paths from the root of the repository. */
export const testFiles = (run) => allFiles().filter(chosen[run])

/** Files that start no process and do not wait; those of a folder run in one thread, which loads the product once. */
const together = {
  emails: ['deliver', 'messages', 'recipients'],
  http: ['contract', 'docs-site', 'graphql', 'idempotency', 'lists', 'requests'],
  rules: undefined,
  server: ['config', 'safe-config', 'tokens'],
  'use-cases': undefined,
  validation: ['accounts', 'conversion-faults', 'properties', 'values'],
  vendors: ['answers', 'contract', 'guard'],
}

/** The folder of a file that runs together with others of its folder; without named files, all of the folder do. */
export const groupOf = (file) => {
  const [, folder, name] = /^test\/src\/([^/]+)\/([^/]+)\.test\.ts$/.exec(file) ?? []
  const isGrouped = Object.hasOwn(together, folder ?? '') && (together[folder]?.includes(name) ?? true)
  return isGrouped ? folder : undefined
}

/** The folders of the part of this name: `core`, or a folder of the tests such as `sql`. */
const foldersOf = (part) => {
  if (part === 'core') return coreTestFolders.map((name) => root + name)
  const path = part.replace(/\/$/, '')
  return [root + path, path].filter((folder) => folder.startsWith(root) && existsSync(folder))
}

/** The runs whose files a part of the tests has: `npm test -- sql` has those on servers too. */
const runs = { quick: ['quick', 'servers'], servers: ['servers'], long: ['long'] }

/** The files that an argument names, such as `sql/values`; none for an option, or for a pattern, which AVA reads. */
export const filesOf = (argument, run) => {
  if (argument.endsWith('.test.ts')) {
    const [file] = [argument, root + argument].filter((path) => existsSync(path))
    if (file === undefined) throw new Error(`There is no test file ${argument}`)
    return [file]
  }
  if (argument.startsWith('-')) return []
  if (existsSync(`${root}${argument}.test.ts`)) return [`${root}${argument}.test.ts`]
  const folders = foldersOf(argument)
  return [...new Set(runs[run].flatMap(testFiles))].filter((file) =>
    folders.some((folder) => file.startsWith(`${folder}/`)),
  )
}

const commonFolder = (files) => {
  let folder = dirname(files[0])
  while (!files.every((file) => file.startsWith(`${folder}/`))) folder = dirname(folder)
  return `${folder}/`
}

/**
 * The file of a test, by its title: if several files run, the title begins with the file, from their common folder. Beside
 * others, `test/src/faults/scenarios/wire.long.mariadb.test.ts` is `faults › scenarios › wire.long.mariadb`.
 */
export const fileOf = (title, files) => {
  if (files.length < 2) return files[0]
  const { length } = commonFolder(files)
  const prefixOf = (file) =>
    file
      .slice(length)
      .replace(/\.test\.ts$/, '')
      .replaceAll('/', ' › ')
  return files.find((file) => title.startsWith(`${prefixOf(file)} › `))
}
