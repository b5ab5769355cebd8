// npm run test:all: runs all checks in turn: those of each push, and the long ones. At the end it prints a table of the checks,
// their times and their results; --save writes the table into docs/reference/fault-report.md.
import { spawn, spawnSync } from 'node:child_process'
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const usage = `npm run test:all -- [options]
  --only NAMES  these checks, separated by commas
  --list        the names of all checks
  --save        writes the table into docs/reference/fault-report.md`

const faults = (...args) => ['npm', 'run', '--silent', 'faults', '--', ...args]

/** The claim that each check proves, and its command, by its name. */
const checks = {
  test: { proves: 'everything that needs no database server', command: ['npm', 'test'] },
  terminal: {
    proves: 'the same in a terminal with colours',
    command: ['script', '-qec', 'npm test', '/dev/null'],
    environment: { FORCE_COLOR: '1', TERM: 'xterm-256color', CI: '' },
  },
  servers: { proves: 'stores on MariaDB', command: ['npm', 'run', 'test:servers'] },
  long: { proves: 'kills, cut connections, pages in a browser', command: ['npm', 'run', 'test:long'] },
  properties: {
    proves: 'properties with another seed, twenty times as often',
    command: ['node', 'scripts/properties.mjs', '--times', '20'],
  },
  calls: { proves: 'each call of a port fails', command: faults('calls', '--runs', '3000') },
  wire: { proves: 'connections cut at every byte', command: faults('wire') },
  kills: { proves: '20 kills of servers that process', command: faults('kills', '--kills', '20') },
  import: { proves: '10 kills of the import', command: faults('import', '--kills', '10') },
  'import-sqlite': {
    proves: '10 kills of the import on SQLite',
    command: faults('import', '--kills', '10', '--backend', 'sqlite'),
  },
  emails: { proves: '10 kills of servers that send e-mails', command: faults('emails', '--kills', '10') },
  hostile: { proves: '20000 random requests', command: faults('hostile', '--requests', '20000') },
  floods: { proves: 'crowds of long bodies', command: faults('floods') },
  galera: {
    proves: 'a Galera cluster under load',
    command: faults('cluster', '--only', 'galera', '--short'),
  },
  group: { proves: 'Group Replication under load', command: faults('cluster', '--only', 'group', '--short') },
  databases: {
    proves: 'one database under load',
    command: faults('cluster', '--only', 'mariadb,sqlite', '--short'),
  },
  million: { proves: 'a million accounts', command: faults('million') },
  mutation: { proves: 'changes of the core are noticed', command: ['npm', 'run', 'test:mutation'] },
  published: { proves: 'packages on Node.js 20 to 26', command: ['npm', 'run', 'check:published'] },
  image: { proves: 'the image, rehearsed', command: ['npm', 'run', 'rehearse:image'] },
}

const readOptions = () => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: Object.keys(checks).join() },
      list: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
    },
  })
  const names = values.only.split(',')
  const unknown = names.filter((name) => checks[name] === undefined)
  if (unknown.length === 0) return { ...values, names }
  console.error(`There is no check ${unknown.join(', ')}.\n${usage}`)
  return process.exit(2)
}

const folder = 'reports/test-all'
const seconds = (milliseconds) => Math.round(milliseconds / 1000)

/** Runs a check with its output in a log of its own; returns its seconds, and its result as text. */
const runCheck = (name) =>
  new Promise((resolve, reject) => {
    const { command, environment } = checks[name]
    const log = `${folder}/${name}.log`
    const begun = Date.now()
    const output = createWriteStream(log)
    const child = spawn(command[0], command.slice(1), {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    })
    child.stdout.pipe(output, { end: false })
    child.stderr.pipe(output, { end: false })
    child.on('error', reject)
    child.on('close', (code) => {
      output.end(() => {
        const text = readFileSync(log, 'utf8')
        const counts = [...text.matchAll(/^(\d+) passed, (\d+) failed\r?$/gm)].at(-1)?.[0].trim()
        const missing = /^.+ is left out: .+$/m.exec(text)?.[0]
        const result =
          code === 0 ? (missing ?? counts ?? 'passed') : `FAILED, ${counts ?? `exit code ${code}`}`
        resolve({ name, isPassed: code === 0, seconds: seconds(Date.now() - begun), result, log })
      })
    })
  })

const commit = () => {
  const git = (...args) => spawnSync('git', args, { encoding: 'utf8' }).stdout.trim()
  return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') === '' ? '' : ' with changes'}`
}

const { names, list, save } = readOptions()
if (list) {
  for (const [name, { proves }] of Object.entries(checks)) console.log(`${name}: ${proves}`)
  process.exit(0)
}
mkdirSync(folder, { recursive: true })
const of = commit()
const outcomes = []
for (const name of names) {
  console.log(`${name}: ${checks[name].proves}`)
  const outcome = await runCheck(name)
  outcomes.push(outcome)
  console.log(`  ${outcome.result}, ${outcome.seconds} s`)
  if (!outcome.isPassed) console.error(`  see ${outcome.log}`)
}

const { machineText, markdownTable, saveTable } = await import('../test/dist/faults/report/figures.js')
const table = markdownTable(
  [
    ['check', 'proves', 'result', 'seconds'],
    ...outcomes.map(({ name, result, seconds: took }) => [name, checks[name].proves, result, String(took)]),
  ],
  3,
)
console.log(`\n${table}\n`)
if (save) saveTable('all checks', `${machineText(`commit ${of}`)}.\n\n${table}`, 'fault-report')
const failed = outcomes.filter(({ isPassed }) => !isPassed).length
console.log(`${outcomes.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
