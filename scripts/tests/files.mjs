// The test files of the project, and its parts.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const root = 'test/src/'

const allFiles = () =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => root + file.replaceAll('\\', '/'))
    .sort()

/**
 * A test that kills servers, cuts connections, or waits for time limits has this in its name, and runs only in `npm run test:long`, so that `npm test` is fast.
 */
const long = /\.long\.(?:\w+\.)?test\.ts$/

/** A test that runs only in `npm run test:all`: those of each push assert most of it. */
const rehearsal = /\.rehearsal\.(?:\w+\.)?test\.ts$/

/** A file with nothing but tests on a database server has this in its name. */
const onServersAlone = /\.(?:mariadb|galera|postgresql|servers)\.test\.ts$/

/** The helpers by which a test file has tests on a database server beside others. */
const serverHelpers =
  /\b(?:onEach|onServers|onMariaDb|onMysqlServers|onPostgresql|registerBackends|mariaDbAvailable)\(/

const usesServer = (file) => onServersAlone.test(file) || serverHelpers.test(readFileSync(file, 'utf8'))

const chosen = {
  quick: (file) => !long.test(file) && !rehearsal.test(file) && !onServersAlone.test(file),
  servers: (file) => !long.test(file) && !rehearsal.test(file) && usesServer(file),
  long: (file) => long.test(file),
  rehearsals: (file) => rehearsal.test(file),
}

/** The test files of a run, a key of `chosen`; paths from the root of the repository. */
export const testFiles = (run) => allFiles().filter(chosen[run])

/** The folders of the core that contain decisions; their tests need no server. */
export const decidingFolders = [
  'access',
  'adding',
  'checking',
  'domain',
  'importing',
  'operating',
  'reporting',
  'rules',
]

/** The folders of their tests. */
const coreTestFolders = ['rules', 'validation', 'transactions', 'use-cases']

const inMemory =
  /^(?:(?:rules|validation|transactions|use-cases)\/|emails\/(?:deliver|recipients)|faults\/scenarios\/failing-calls)/

/** Tests that search at random and for long, or start a process: their coverage must not hide gaps of the other tests. */
const searches = /properties|read\.test/

/** The in-memory tests of the deciding folders, with which coverage and mutants are measured. */
export const inMemoryTests = () =>
  allFiles().filter((file) => inMemory.test(file.slice(root.length)) && !searches.test(file))

/**
 * Files whose tests run one after the other in one thread, which loads the product once: those of each folder. Without named
 * files, all of the folder do. A file whose tests wait for long is alone, so that they wait at the same time.
 */
const together = {
  console: undefined,
  convert: undefined,
  documents: undefined,
  emails: ['deliver', 'messages', 'recipients'],
  http: [
    'broken-requests',
    'client',
    'contract',
    'cut-lines',
    'docs-site',
    'ended-access',
    'graphql',
    'idempotency',
    'lists',
    'logging',
    'mounted',
    'queries',
    'requests',
    'same-data',
    'service-page',
    'steps',
  ],
  offline: ['arrays', 'outputs', 'report', 'terminal', 'whole-file'],
  rules: undefined,
  server: ['audit-metrics', 'cli', 'cli-text', 'cli-usage', 'config', 'record', 'safe-config', 'tokens'],
  'use-cases': undefined,
  validation: ['accounts', 'conversion-faults', 'properties', 'values'],
  vendors: ['answers', 'contract', 'guard'],
  webhooks: ['commands', 'sender', 'stalled'],
}

/** The folder of a file that runs together with others of its folder; without named files, all of the folder do. */
export const groupOf = (file) => {
  const [, folder, name] = /^test\/src\/([^/]+)\/([^/.]+)\.test\.ts$/.exec(file) ?? []
  const isGrouped = Object.hasOwn(together, folder ?? '') && (together[folder]?.includes(name) ?? true)
  return isGrouped ? folder : undefined
}

/** The runs whose files a part of the tests has: `npm test -- sql` has those on servers too. */
const runs = { quick: ['quick', 'servers'], servers: ['servers'], long: ['long'], rehearsals: ['rehearsals'] }

/** The files that an argument names: `core`, a folder or a file of the tests. None for an argument of AVA. */
export const filesOf = (argument, run) => {
  const path = argument
    .replace(/\/$/, '')
    .replace(root, '')
    .replace(/\.test\.ts$/, '')
  const file = `${root}${path}.test.ts`
  if (existsSync(file)) return [file]
  if (argument.endsWith('.test.ts')) throw new Error(`There is no test file ${argument}`)
  const folders = (argument === 'core' ? coreTestFolders : [path]).map((folder) => `${root}${folder}/`)
  const all = [...new Set(runs[run].flatMap(testFiles))]
  return all.filter((each) => folders.some((folder) => each.startsWith(folder)))
}
