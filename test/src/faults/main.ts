import fc from 'fast-check'
import { parseArgs } from 'node:util'
import { added, faultTable, type FaultRow } from '../cluster/report/fault-row.js'
import { saveFaults } from '../cluster/report/save-faults.js'
import { markdownTable } from '../performance/index.js'
import { plainCalls } from '../use-cases/support/plain-calls.js'
import { faultEachCall } from './every-call/fault-each-call.js'
import { moreCalls } from './every-call/more-calls.js'
import { worldsInMemory, worldsOnSqlite, type Worlds } from './every-call/worlds.js'
import { plans } from './simulation/plan.js'
import { simulate } from './simulation/simulate.js'
import { wireRows } from './wire/wire-rows.js'

const parts = ['calls', 'wire'] as const

const usage = `npm run faults -- [options]
Makes every call of a port go wrong, for every use case, simulates clients with random faults, and cuts connections to
databases and of clients at every byte that matters; checks after each that nothing that was acknowledged is lost, nothing
is there twice, and nothing is half there.
  --only NAMES  ${parts.join(', ')} (all)
  --runs N  simulations, 1 to 1000000 (5000)
  --cuts N  of each kind of request, 1 to 1000000 (all that matter)
  --seed N  of the simulations (another one each time)
  --save    writes the figures into docs/reference/fault-report.md`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: parts.join() },
    runs: { type: 'string', default: '5000' },
    cuts: { type: 'string', default: '1000000' },
    seed: { type: 'string' },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

type Run = Readonly<{
  injected: number
  requests: number
  acknowledged: number
  violations: readonly string[]
}>

/** How many runs ended with something that is wrong. */
let broken = 0

const tell = (violations: readonly string[]): void => {
  for (const violation of violations.slice(0, 50)) console.log(`  BROKEN ${violation}`)
  if (violations.length === 0) return
  broken += 1
  process.exitCode = 1
}

const rowOf = (
  fault: string,
  { injected, requests, acknowledged, violations }: Run,
  runs: number,
): FaultRow => {
  tell(violations)
  const count = (invariants: RegExp): number => violations.filter((each) => invariants.test(each)).length
  return {
    fault,
    runs,
    injected,
    requests,
    acknowledged,
    lost: count(/I[23467]/),
    doubled: count(/I[15]/),
    errors500: count(/I8/),
    slowestRecoveryMilliseconds: 0,
  }
}

const everyCall = async (fault: string, open: () => Promise<Worlds>): Promise<FaultRow> => {
  const worlds = await open()
  try {
    const rows: FaultRow[] = []
    for (const [name, call] of Object.entries({ ...plainCalls, ...moreCalls })) {
      const run = await faultEachCall(worlds, name, call)
      rows.push(rowOf(fault, run, run.injected))
    }
    return rows.reduce(added)
  } finally {
    await worlds.close()
  }
}

const simulations = async (numRuns: number, seed: number): Promise<FaultRow> => {
  const rows: FaultRow[] = []
  const property = fc.asyncProperty(fc.scheduler(), plans, async (scheduler, plan) => {
    const { injected, counts, violations } = await simulate(scheduler, plan)
    rows.push(rowOf('random calls, 1 to 50 clients at once', { injected, ...counts, violations }, 1))
  })
  await fc.assert(property, { numRuns, seed })
  return rows.reduce(added)
}

const calls = async (runs: number, seed: number): Promise<readonly FaultRow[]> => [
  await everyCall('each call in turn, in memory', worldsInMemory),
  await everyCall('each call in turn, SQLite', worldsOnSqlite),
  await simulations(runs, seed),
]

const show = (section: string, what: string, rows: readonly FaultRow[]): void => {
  console.log(markdownTable(faultTable(rows), 1))
  const refused = values.save ? saveFaults(section, what, rows, broken) : undefined
  if (refused !== undefined) console.error(refused)
}

const isCount = (count: number): boolean => Number.isInteger(count) && count >= 1 && count <= 1_000_000

const only = values.only.split(',')
const runs = Number(values.runs)
const cuts = Number(values.cuts)
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
const isUnknown = (name: string): boolean => parts.every((part) => part !== name)

if (values.help) console.log(usage)
else if (only.some(isUnknown) || !isCount(runs) || !isCount(cuts) || !Number.isInteger(seed)) {
  console.error(usage)
  process.exitCode = 2
} else {
  if (only.includes('calls'))
    show('calls of ports', `in memory and SQLite; seed ${seed}`, await calls(runs, seed))
  if (only.includes('wire')) show('connections', 'MariaDB and SQLite', await wireRows(cuts, tell))
}
