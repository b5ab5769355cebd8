import fc from 'fast-check'
import { startMariaDb } from '../servers/index.js'
import { databaseBackends, onBackend, type DatabaseBackend } from '../support/on-backend.js'
import { serviceCalls } from '../use-cases/support/service-calls.js'
import { databaseKinds, databasesRun, type DatabaseKind } from './databases.js'
import {
  faultEachCall,
  fixturesInMemory,
  fixturesOnSqlite,
  type FaultedCalls,
  type Fixtures,
} from './every-call/fault-each-call.js'
import { moreCalls } from './every-call/sent-by.js'
import type { FaultOutcome } from './fault-run.js'
import { hostileCommands } from './hostile/commands.js'
import { requestKinds } from './loads/requests.js'
import { command, type Command, type Given } from './options.js'
import { added, faultTable, rowOf, saveFaults, type FaultRow } from './report/fault-row.js'
import { machineText, markdownTable, saveTable } from './report/figures.js'
import { figureCells, isMissed } from './scale/lists.js'
import { millionRun } from './scale/million.js'
import { importRun } from './scenarios/import.js'
import { emailsRun, killsRun, works } from './scenarios/kills.js'
import { cutRun, latencyRun, silenceRun } from './scenarios/wire.js'
import { plans } from './simulation/plan.js'
import { simulate } from './simulation/simulate.js'

/** Prints the violations; returns whether there are none. */
const isWell = (faults: readonly string[]): boolean => {
  for (const fault of faults.slice(0, 50)) console.log(`  BROKEN ${fault}`)
  if (faults.length > 50) console.log(`  and ${faults.length - 50} more`)
  return faults.length === 0
}

/** Rows of runs, by fault, and the number of runs with violations. */
const makeReport = () => {
  const rows = new Map<string, FaultRow>()
  let broken = 0
  return {
    add: (row: FaultRow, faults: readonly string[]): void => {
      if (!isWell(faults)) broken += 1
      const known = rows.get(row.fault)
      rows.set(row.fault, known === undefined ? row : added(known, row))
    },
    /** Prints the table, and writes it into its section of the report; returns whether there are no violations. */
    end: (section: string, what: string, isSaved: boolean): boolean => {
      console.log(faultTable([...rows.values()]))
      const refused = isSaved ? saveFaults(section, what, [...rows.values()], broken) : undefined
      if (refused !== undefined) console.error(refused)
      return broken === 0
    },
  }
}

type Report = ReturnType<typeof makeReport>

type KilledRun = (backend: DatabaseBackend, given: Given) => Promise<Readonly<{ faults: readonly string[] }>>

const killing = (usage: string, texts: readonly string[], run: KilledRun): Command =>
  command(usage, { texts: [...texts, 'kills', 'backend'] }, async (given) => {
    const backend = given.word('backend', databaseBackends)
    const { faults, ...outcome } = await run(backend, given)
    console.log(JSON.stringify({ backend, ...outcome }))
    return isWell(faults)
  })

const kills = killing(
  `kills [--work accounts|additions] [--kills N] [--backend mariadb|postgresql|sqlite]
  kills a server N times (100) under clients that process accounts, or add to them`,
  ['work'],
  (backend, given) => killsRun(backend, given.word('work', works), given.count('kills', 100)),
)

const emails = killing(
  `emails [--kills N] [--backend mariadb|postgresql|sqlite]
  kills a server that sends e-mails N times (20), and counts which came twice`,
  [],
  (backend, given) => emailsRun(backend, given.count('kills', 20)),
)

const imports = killing(
  `import [--kills N] [--lines N] [--backend mariadb|postgresql|sqlite]
  kills the import command N times (20), and the server under it as often, and imports so many lines (12000)`,
  ['lines'],
  (backend, given) => importRun(backend, given.count('kills', 20), given.count('lines', 12_000)),
)

const noteCalls = (report: Report, fault: string, calls: FaultedCalls, runs: number): void => {
  const row = rowOf({ fault, runs, ...calls, slowestRecoveryMilliseconds: 0 }, calls.violations)
  report.add(row, calls.violations)
}

const everyCall = async (report: Report, fault: string, open: () => Promise<Fixtures>): Promise<void> => {
  const fixtures = await open()
  try {
    for (const [name, call] of Object.entries({ ...serviceCalls, ...moreCalls })) {
      const calls = await faultEachCall(fixtures, name, call)
      noteCalls(report, fault, calls, calls.injected)
    }
  } finally {
    await fixtures.close()
  }
}

const simulations = async (report: Report, numRuns: number, seed: number): Promise<void> => {
  const property = fc.asyncProperty(fc.scheduler(), plans, async (scheduler, plan) => {
    noteCalls(report, 'random calls, 1 to 50 clients at once', await simulate(scheduler, plan), 1)
  })
  await fc.assert(property, { numRuns, seed })
}

const seedOf = (given: Given): number => given.count('seed', Date.now() % 2 ** 31, 2 ** 31, 0)

const calls = command(
  `calls [--runs N] [--seed N] [--save]
  makes every call of a port go wrong for every use case, in memory and on SQLite, and simulates clients N times (5000)`,
  { texts: ['runs', 'seed'], flags: ['save'] },
  async (given) => {
    const [runs, seed, report] = [given.count('runs', 5000), seedOf(given), makeReport()]
    await everyCall(report, 'each call in turn, in memory', fixturesInMemory)
    await everyCall(report, 'each call in turn, SQLite', fixturesOnSqlite)
    await simulations(report, runs, seed)
    return report.end('calls of ports', `in memory and SQLite; seed ${seed}`, given.isGiven('save'))
  },
)

const wireRows = async (report: Report, most: number): Promise<void> => {
  const noted = async (
    fault: string,
    backend: DatabaseBackend,
    run: (url: string) => Promise<FaultOutcome>,
  ): Promise<void> => {
    const { row, faults } = await onBackend[backend](run)
    report.add({ ...row, fault }, faults)
  }
  const places = [
    ['database', 'mariadb', 'MariaDB'],
    ['client', 'mariadb', 'MariaDB'],
    ['client', 'sqlite', 'SQLite'],
  ] as const
  for (const [place, backend, name] of places)
    for (const kind of requestKinds)
      await noted(`${place} cut off after k bytes, ${name}`, backend, (url) => cutRun(url, place, kind, most))
  for (const kind of ['staging', 'processing'] as const)
    for (const way of ['there', 'back'] as const)
      await noted('database silent, connections open', 'mariadb', (url) => silenceRun(url, kind, way))
  await noted('database 25 ms away each way', 'mariadb', latencyRun)
}

const wire = command(
  `wire [--cuts N] [--save]
  cuts connections to databases and of clients at every byte that matters, N of each kind of request (all); lets them fall silent`,
  { texts: ['cuts'], flags: ['save'] },
  async (given) => {
    const report = makeReport()
    await wireRows(report, given.count('cuts', 1_000_000))
    return report.end('connections', 'MariaDB and SQLite', given.isGiven('save'))
  },
)

const kindNames = Object.keys(databaseKinds) as DatabaseKind[]

const tryDatabases = async (kind: DatabaseKind, given: Given): Promise<boolean> => {
  const { start, missing } = databaseKinds[kind]
  const lacking = missing()
  if (lacking !== undefined) {
    console.error(`${kind} is left out: there is no ${lacking}`)
    return true
  }
  const isShort = given.isGiven('short')
  const rounds = given.count('rounds', isShort ? 1 : 5, 100)
  const databases = await start()
  try {
    console.log(databases.what)
    const report = makeReport()
    const options = { faults: given.text('faults'), rounds, pace: isShort ? 0.5 : 1 }
    for await (const { row, faults } of databasesRun(databases, options)) {
      console.log(JSON.stringify(row))
      report.add(row, faults)
    }
    return report.end(databases.name, databases.what, given.isGiven('save'))
  } finally {
    await databases.stop()
  }
}

const cluster = command(
  `cluster [--short] [--rounds N] [--only NAMES] [--faults TEXT] [--save]
  lets faults happen to databases, clusters and single ones, with servers under load
  --short  each fault once, in about two minutes
  --rounds  runs of each fault, 1 to 100 (5; on different nodes in turn)
  --only  some of ${kindNames.join(', ')} (all that there are)
  --faults  only faults whose names have this text`,
  { texts: ['rounds', 'only', 'faults'], flags: ['short', 'save'] },
  async (given) => {
    let well = true
    for (const kind of given.words('only', kindNames)) well = (await tryDatabases(kind, given)) && well
    return well
  },
)

/** The settings of a database for a million accounts: written pages stay in memory for a while. */
const largeDatabase = ['--innodb-buffer-pool-size=2G', '--innodb-log-file-size=1G']

const million = command(
  `million [--accounts N] [--save]
  N accounts (1000000) through an import on MariaDB, which takes some 20 GB of room, and on two cores about an hour`,
  { texts: ['accounts'], flags: ['save'] },
  async (given) => {
    const accounts = given.count('accounts', 1_000_000, 10_000_000, 2000)
    const mariaDb = await startMariaDb(largeDatabase)
    try {
      const figures = await millionRun(await mariaDb.createDatabase(), accounts)
      const rows = [['figure', 'measured', 'at most', 'more'], ...figures.map(figureCells)]
      const table = markdownTable(rows, rows.length)
      console.log(table)
      const machine = `${machineText('MariaDB')}; ${accounts} accounts`
      if (given.isGiven('save')) saveTable('A million accounts', `${machine}.\n\n${table}`)
      return isWell(figures.filter(isMissed).map(({ name }) => `${name}: missed`))
    } finally {
      await mariaDb.stop()
    }
  },
)

/** The commands of `npm run faults`. */
export const commands: Readonly<Record<string, Command>> = {
  kills,
  emails,
  import: imports,
  calls,
  wire,
  cluster,
  million,
  ...hostileCommands,
}
