import { parseArgs } from 'node:util'
import { machineText, markdownTable, saveTable } from '../performance/index.js'
import { startMariaDb } from '../servers/index.js'
import { databaseBackends, onBackend } from '../support/on-backend.js'
import { figureCells, figureLine, isMissed, type Figure } from './figure.js'
import { listsRun } from './lists-run.js'
import { millionRun } from './million-run.js'

const usage = `npm run scale -- [--imports N]
  lists of N imports on each database (100000)
npm run scale -- million [--accounts N] [--lenient] [--save]
  N accounts through an import on MariaDB (1000000), which takes some 20 GB of room, and on two cores about an hour;
  --lenient tells times that are missed, and fails for memory alone, as on a machine with other work
  --save writes the figures into docs/reference/performance.md
N is 2000 to 10000000.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    imports: { type: 'string', default: '100000' },
    accounts: { type: 'string', default: '1000000' },
    lenient: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const isMillion = positionals.length === 1 && positionals[0] === 'million'
const count = Number(isMillion ? values.accounts : values.imports)

/** As a database that takes a million accounts is set up: what is written fits into memory for a while. */
const largeDatabase = ['--innodb-buffer-pool-size=2G', '--innodb-log-file-size=1G']

const report = (backend: string, figures: readonly Figure[]): void => {
  for (const figure of figures) {
    console.log(figureLine(backend, figure))
    if (isMissed(figure) && (figure.unit === 'MiB' || !values.lenient)) process.exitCode = 1
  }
}

const save = (accounts: number, figures: readonly Figure[]): void => {
  const rows = [['figure', 'measured', 'at most', 'more'], ...figures.map(figureCells)]
  saveTable(
    'A million accounts',
    `${machineText('MariaDB')}; ${accounts} accounts.\n\n${markdownTable(rows, rows.length)}`,
  )
}

const million = async (accounts: number): Promise<void> => {
  const mariaDb = await startMariaDb(largeDatabase)
  try {
    const figures = await millionRun(await mariaDb.createDatabase(), accounts)
    report('mariadb', figures)
    if (values.save) save(accounts, figures)
  } finally {
    await mariaDb.stop()
  }
}

const lists = async (imports: number): Promise<void> => {
  for (const backend of databaseBackends)
    report(backend, await onBackend[backend]((url) => listsRun(url, imports)))
}

if (values.help) console.log(usage)
else if (
  !Number.isInteger(count) ||
  count < 2000 ||
  count > 10_000_000 ||
  positionals.length > Number(isMillion)
) {
  console.error(usage)
  process.exitCode = 2
} else await (isMillion ? million(count) : lists(count))
