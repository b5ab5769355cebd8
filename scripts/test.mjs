// npm test: runs AVA over the test files that need no database server and do not take long, and compares the codes that the tests
// received with the catalogue. npm run test:servers (--servers): runs the tests on database servers. npm run test:long (--long): runs
// the long test files. Each test file with a failure runs once more, alone: a second failure is
// a failure of the run, and a file that passes is named at the end. Each failure is printed once, at the end, with the command
// that runs its file again. The last line is "N passed, N failed", each test counted once. With parts (core, a folder, a file) or
// arguments of AVA only some tests run, once. With TEST_COVERAGE=1 npm test begins with the in-memory tests, which must take
// every branch of the deciding folders of the core.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { makeMariaDbTemplate } from '../test/dist/servers/mariadb.js'
import { inMemoryTests } from './in-memory-tests.mjs'
import { runAva } from './tests/ava-run.mjs'
import { filesOf, groupOf, testFiles } from './tests/files.mjs'
import { bundleTests } from './tests/bundles.mjs'

/** With more failed files than this, parallel tests are not the cause. */
const mostAgain = 5

const kind = { '--long': 'long', '--servers': 'servers' }[process.argv[2]] ?? 'quick'
const someTests = process.argv.slice(kind === 'quick' ? 2 : 3)
const isCoverageTaken = process.env.TEST_COVERAGE === '1' && kind === 'quick'
if (someTests.length === 0 && kind !== 'long') process.env.TEST_SERVERS = kind === 'servers' ? 'only' : 'none'
const folder = mkdtempSync(join(tmpdir(), 'account-import-tests-'))
const environment = {
  EMITTED_CODES_DIR: join(folder, 'codes'),
}
/** AVA finds no test file in node_modules. */
const programs = join('reports', basename(folder))
const coverage = join(folder, 'coverage')

const compare = async () => {
  const { emissionFaults } = await import('../test/dist/codes/compare-emitted.js')
  const faults = emissionFaults(environment.EMITTED_CODES_DIR)
  const title = 'every code of the catalogue is emitted by a test, and no other'
  if (faults.length === 0) console.log(`  ✔ codes › ${title}\n`)
  else console.error(`  ✘ [fail]: codes › ${title}\n\n${faults.map((fault) => `    ${fault}\n`).join('')}`)
  return faults.length === 0
}

/** The number of failures of a run: at least 1 for its exit code, which may report a failure without a line. */
const failures = ({ code, notPassed }) => (code === 0 ? notPassed : Math.max(notPassed, 1))

const isWorthAgain = ({ code, failedFiles }) =>
  code !== 0 && failedFiles.size > 0 && failedFiles.size <= mostAgain && !failedFiles.has(undefined)

/** Runs test files from a bundle of that name, with arguments of AVA and more environment. */
const runBundled = async (name, files, { args = [], more = {}, ...options }) => {
  const bundle = join(programs, name)
  const bundled = await bundleTests(files, bundle, options)
  return runAva(
    [...bundled.keys(), ...args],
    files,
    { ...environment, ...more, TEST_FILES: `${bundle}/` },
    bundled,
  )
}

const runAll = async () => {
  const files = testFiles(kind)
  if (!isCoverageTaken) return runBundled('tests', files, { groupOf })
  const measured = inMemoryTests()
  const others = files.filter((file) => !measured.includes(file))
  // Branches are counted in the built files of the core, as a bundle leaves out unused code.
  const isOutside = (id) => id.startsWith('@account-import/core')
  const one = await runBundled('measured', measured, {
    groupOf,
    isOutside,
    more: { NODE_V8_COVERAGE: coverage },
  })
  const other = await runBundled('others', others, { groupOf })
  return {
    code: Math.max(one.code, other.code),
    passed: [...one.passed, ...other.passed],
    failedFiles: new Set([...one.failedFiles, ...other.failedFiles]),
    notPassed: one.notPassed + other.notPassed,
    ending: [...one.ending, ...other.ending],
  }
}

/** The checks at the end of a run without failures; returns whether each holds. */
const closing = async () => {
  if (kind !== 'quick') return []
  if (!isCoverageTaken) return [await compare()]
  const { allBranchesTaken } = await import('./coverage/untaken-branches.mjs')
  return [await compare(), await allBranchesTaken(coverage)]
}

const show = ({ ending }) => {
  for (const line of ending) console.log(line)
}

/** The last lines of a run. */
const finish = (passed, failed, failedFiles) => {
  for (const file of failedFiles) if (file !== undefined) console.log(`RUN IT AGAIN: npm test -- ${file}`)
  console.log(`${passed} passed, ${failed} failed`)
}

/** Prepares once what each file would otherwise prepare itself. */
const prepare = async () => {
  if (process.env.TEST_SERVERS === 'none') return
  environment.TEST_MARIADB_DATA = join(folder, 'mariadb-data')
  await makeMariaDbTemplate(environment.TEST_MARIADB_DATA)
}

const wholeRun = async () => {
  await prepare()
  const first = await runAll()
  const again = isWorthAgain(first) ? [...first.failedFiles] : []
  let passed = first.passed.filter((file) => !again.includes(file)).length
  let failed = again.length === 0 ? failures(first) : 0
  const passedAlone = []
  const seconds = []
  for (const file of again) {
    console.log(`\n== once more, alone: ${file}`)
    const second = await runAva([file], [file], environment)
    passed += second.passed.length
    failed += failures(second)
    if (failures(second) === 0) passedAlone.push(file)
    else seconds.push(second)
  }
  // The end of the first run contains the failures of all files, so the ends of the second runs would repeat them.
  if (again.length === 0 || passedAlone.length > 0) show(first)
  else for (const second of seconds) show(second)
  if (failed === 0)
    for (const holds of await closing())
      if (holds) passed += 1
      else failed += 1
  for (const file of passedAlone) console.log(`FAILED BESIDE OTHERS, PASSED ALONE: ${file}`)
  finish(
    passed,
    failed,
    [...first.failedFiles].filter((file) => !passedAlone.includes(file)),
  )
  return failed === 0 && passed > 0 ? 0 : 1
}

const someRun = async () => {
  const named = someTests.map((argument) => ({ argument, files: filesOf(argument, kind) }))
  const files = named.flatMap((each) => each.files)
  const args = named.flatMap((each) => (each.files.length === 0 ? [each.argument] : []))
  const areOptions = args.every((argument) => argument.startsWith('-'))
  if (files.length > 1) await prepare()
  const run =
    files.length > 1 && areOptions
      ? await runBundled('tests', files, { args })
      : await runAva([...files, ...args], files, environment)
  show(run)
  finish(run.passed.length, failures(run), run.failedFiles)
  return run.code
}

/** Seconds of the tests of a run on a machine that counts to a billion in a second. */
const secondsOf = { quick: 80, servers: 60, long: 180 }

/** The time that counting to a billion takes here, in seconds. */
const slowness = () => {
  const begun = performance.now()
  let sum = 0
  for (let at = 0; at < 100_000_000; at += 1) sum += at & 3
  return ((performance.now() - begun) / 100) * Math.sign(sum)
}

const announce = () => {
  const minutes = Math.max(1, Math.round((secondsOf[kind] * slowness()) / 60))
  const part = `npm ${kind === 'quick' ? 'test' : `run test:${kind}`} -- core (or sql, http, any folder or file of test/src)`
  console.log(
    `${testFiles(kind).length} test files, about ${minutes} minutes on two cores like these; a part of them: ${part}`,
  )
}

try {
  mkdirSync(environment.EMITTED_CODES_DIR)
  if (someTests.length === 0) announce()
  process.exitCode = someTests.length === 0 ? await wholeRun() : await someRun()
} finally {
  rmSync(folder, { recursive: true })
  rmSync(programs, { recursive: true, force: true })
}
