// npm run test:all: runs all checks in turn: those of each push, and the long ones. At the end it prints a table of the checks,
// their times and their results; --save writes the table into docs/reference/fault-report.md.
import { spawnSync } from 'node:child_process'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const usage = `npm run test:all -- [options]
  --only NAMES  these checks, separated by commas
  --list        the names of all checks
  --save        writes the table into docs/reference/fault-report.md`

/** The claim that each check proves, and its command, by its name. */
const checks = {
  test: ['everything that needs no database server', 'npm test'],
  terminal: [
    'the same in a terminal with colours',
    "CI= FORCE_COLOR=1 TERM=xterm-256color script -qec 'npm test' /dev/null",
  ],
  servers: ['stores on MariaDB', 'npm run test:servers'],
  long: ['kills, cut connections, pages in a browser', 'npm run test:long'],
  rehearsals: [
    'commands of the documentation, pages in a browser, floods, generated clients',
    'npm run test:rehearsals',
  ],
  properties: ['properties with another seed, twenty times as often', 'node scripts/properties.mjs'],
  calls: ['each call of a port fails', 'npm run faults -- calls --runs 3000'],
  wire: ['connections cut at every byte', 'npm run faults -- wire'],
  kills: ['20 kills of servers that process', 'npm run faults -- kills --kills 20'],
  import: ['10 kills of the import', 'npm run faults -- import --kills 10'],
  'import-sqlite': [
    '10 kills of the import on SQLite',
    'npm run faults -- import --kills 10 --backend sqlite',
  ],
  emails: ['10 kills of servers that send e-mails', 'npm run faults -- emails --kills 10'],
  hostile: ['20000 random requests', 'npm run faults -- hostile --requests 20000'],
  floods: ['crowds of long bodies', 'npm run faults -- floods'],
  galera: ['a Galera cluster under load', 'npm run faults -- cluster --only galera --short'],
  group: ['Group Replication under load', 'npm run faults -- cluster --only group --short'],
  databases: ['one database under load', 'npm run faults -- cluster --only mariadb,sqlite --short'],
  million: ['a million accounts', 'npm run faults -- million'],
  mutation: ['changes of the core are noticed', 'npm run test:mutation -- --sample 5'],
  published: ['packages on Node.js 20 to 26', 'npm run check:published'],
  image: ['the image, rehearsed', 'npm run rehearse:image'],
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(checks).join() },
    list: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
  },
})
const names = values.only.split(',')
const unknown = names.filter((name) => checks[name] === undefined)
if (unknown.length > 0) {
  console.error(`There is no check ${unknown.join(', ')}.\n${usage}`)
  process.exit(2)
}
if (values.list) {
  for (const [name, [proves]] of Object.entries(checks)) console.log(`${name}: ${proves}`)
  process.exit(0)
}

/** Runs a check with its output in a log of its own; returns its row of the table, and whether it passed. */
const runCheck = (name) => {
  const [proves, command] = checks[name]
  console.log(`${name}: ${proves}`)
  const log = `reports/test-all/${name}.log`
  const output = openSync(log, 'w')
  const begun = Date.now()
  const { status } = spawnSync(command, { shell: true, stdio: ['ignore', output, output] })
  const text = readFileSync(log, 'utf8')
  const counts = [...text.matchAll(/^(\d+) passed, (\d+) failed\r?$/gm)].at(-1)?.[0].trim()
  const missing = /^.+ is left out: .+$/m.exec(text)?.[0]
  const result = status === 0 ? (missing ?? counts ?? 'passed') : `FAILED, ${counts ?? `exit code ${status}`}`
  const seconds = Math.round((Date.now() - begun) / 1000)
  console.log(`  ${result}, ${seconds} s${status === 0 ? '' : `, see ${log}`}`)
  return { row: [name, proves, result, String(seconds)], isPassed: status === 0 }
}

const git = (...args) => spawnSync('git', args, { encoding: 'utf8' }).stdout.trim()
const commit = `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') === '' ? '' : ' with changes'}`
mkdirSync('reports/test-all', { recursive: true })
const outcomes = names.map(runCheck)

const { machineText, markdownTable, saveTable } = await import('../test/dist/faults/report/figures.js')
const table = markdownTable([['check', 'proves', 'result', 'seconds'], ...outcomes.map(({ row }) => row)], 3)
console.log(`\n${table}\n`)
if (values.save) saveTable('all checks', `${machineText(`commit ${commit}`)}.\n\n${table}`, 'fault-report')
const failed = outcomes.filter(({ isPassed }) => !isPassed).length
console.log(`${outcomes.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
