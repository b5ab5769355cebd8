// npm test: runs AVA over the test files that need no database server and do not take long, and compares the codes that the tests
// received with the catalogue. npm run test:servers (--servers): runs the tests on database servers. npm run test:long (--long): runs
// the long test files. npm run test:rehearsals (--rehearsals): runs those that only npm run test:all has. With parts (core, a folder,
// a file) or arguments of AVA only some tests run. With TEST_COVERAGE=1 npm test begins with the in-memory tests, which must take
// every branch of the deciding folders of the core. The last line is "N passed, N failed"; a skipped test is a failure.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { makeMariaDbTemplate } from '../test/dist/servers/mariadb.js'
import { makePostgresqlTemplate } from '../test/dist/servers/postgresql.js'
import { bundleTests } from './tests/bundles.mjs'
import { decidingFolders, filesOf, groupOf, inMemoryTests, testFiles } from './tests/files.mjs'

const kind =
  { '--long': 'long', '--servers': 'servers', '--rehearsals': 'rehearsals' }[process.argv[2]] ?? 'quick'
const someTests = process.argv.slice(kind === 'quick' ? 2 : 3)
const isWhole = someTests.length === 0
if (isWhole && kind !== 'long') process.env.TEST_SERVERS = kind === 'servers' ? 'only' : 'none'

const folder = mkdtempSync(join(tmpdir(), 'account-import-tests-'))
/** AVA finds no test file in node_modules. */
const programs = join('reports', basename(folder))
const coverage = join(folder, 'coverage')
const environment = { EMITTED_CODES_DIR: join(folder, 'codes') }

let [passed, failed] = [0, 0]
const count = (isPassed) => (isPassed ? (passed += 1) : (failed += 1))

/** A line of AVA about a test that passed, and its totals of all others, such as "3 tests failed", which come last. */
const passedTest = /^ *✔ /gm
const total =
  /^ *(\d+) (?:(?:tests?|hooks?) (?:failed|skipped|todo)|known failures?|uncaught exceptions?|unhandled rejections?|tests? remained pending.*)$/gm

/** Runs AVA with these arguments; its output is printed as it comes, and its totals are added. */
const runAva = async (args, more = {}) => {
  const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const child = spawn(process.execPath, ['node_modules/ava/entrypoints/cli.mjs', ...args], {
    stdio: ['inherit', 'pipe', 'inherit'],
    env: { ...process.env, ...colours, ...environment, ...more },
  })
  let output = ''
  child.stdout.on('data', (bytes) => {
    process.stdout.write(bytes)
    output += bytes
  })
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  const text = stripVTControlCharacters(output)
  const failures = [
    ...text
      .split(/^ *[─-]$/m)
      .at(-1)
      .matchAll(total),
  ]
  const before = failed
  passed += text.match(passedTest)?.length ?? 0
  for (const [, number] of failures) failed += Number(number)
  // AVA may report a failure by its exit code alone.
  if (code !== 0 && failed === before) failed += 1
}

/** Runs test files from bundles of that name. `isOutside`: packages that are not in the bundles. */
const runBundled = async (name, files, { args = [], more = {}, ...options } = {}) => {
  const bundle = join(programs, name)
  const bundled = await bundleTests(files, bundle, { groupOf, ...options })
  await runAva([...bundled.keys(), ...args], { ...more, TEST_FILES: `${bundle}/` })
}

/** The branches of the deciding folders are counted in the built files of the core, as a bundle leaves out unused code. */
const runMeasured = async (files) => {
  const isOutside = (id) => id.startsWith('@account-import/core')
  await runBundled('measured', files, { isOutside, more: { NODE_V8_COVERAGE: coverage } })
  const included = decidingFolders.map((name) => `--include=packages/core/src/${name}/**`)
  const report = ['node_modules/c8/bin/c8.js', 'report', '--temp-directory', coverage, ...included]
  count(spawnSync(process.execPath, report, { stdio: 'inherit' }).status === 0)
}

/** Prepares once what each file would otherwise prepare itself. */
const prepare = async () => {
  if (process.env.TEST_SERVERS === 'none') return
  environment.TEST_MARIADB_DATA = join(folder, 'mariadb-data')
  environment.TEST_POSTGRESQL_DATA = join(folder, 'postgresql-data')
  await Promise.all([
    makeMariaDbTemplate(environment.TEST_MARIADB_DATA),
    makePostgresqlTemplate(environment.TEST_POSTGRESQL_DATA),
  ])
}

const runWhole = async () => {
  const files = testFiles(kind)
  await prepare()
  const measured = process.env.TEST_COVERAGE === '1' && kind === 'quick' ? inMemoryTests() : []
  console.log(
    `${files.length} test files; a part of them: npm test -- core (or sql, http, any folder or file of test/src)`,
  )
  if (measured.length > 0) await runMeasured(measured)
  await runBundled(
    'tests',
    files.filter((file) => !measured.includes(file)),
  )
  if (kind !== 'quick' || failed > 0) return
  const { emissionFaults } = await import('../test/dist/codes/compare-emitted.js')
  const faults = emissionFaults(environment.EMITTED_CODES_DIR)
  for (const fault of faults)
    console.error(`every code of the catalogue is emitted by a test, and no other: ${fault}`)
  count(faults.length === 0)
}

const runSome = async () => {
  const named = someTests.map((argument) => filesOf(argument, kind))
  const files = [...new Set(named.flat())]
  const args = someTests.filter((_, at) => named[at].length === 0)
  if (files.length < 2) return runAva([...files, ...args])
  await prepare()
  await runBundled('tests', files, { args })
}

try {
  mkdirSync(environment.EMITTED_CODES_DIR)
  await (isWhole ? runWhole() : runSome())
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
  rmSync(programs, { recursive: true, force: true })
}
