import { parseArgs } from 'node:util'
import { markdownTable } from '../performance/index.js'
import { clusterRun } from './cluster-run.js'
import { clusterKinds, type ClusterKind } from './clusters.js'
import type { FaultOutcome } from './fault-run.js'
import { faultTable } from './report/fault-row.js'
import { saveFaults } from './report/save-faults.js'
import { measureWaits } from './waits/measure-waits.js'

const usage = `npm run test:cluster -- [options]
Starts databases, clusters and single ones, with servers of the service under load, lets faults happen to them, and checks
after each that nothing that was acknowledged is lost, nothing is there twice, and nothing is half there.
  --short        each fault once, in about two minutes; Galera alone unless --only says otherwise
  --rounds N     runs of each fault, 1 to 100 (5; on different nodes in turn)
  --only NAMES   ${Object.keys(clusterKinds).join(', ')} (all that there are)
  --faults TEXT  only faults whose names have this text
  --waits        measures instead what it costs that reads wait on Galera
  --save         writes the figures into docs/reference/fault-report.md, unless a run found something broken`

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string' },
    faults: { type: 'string', default: '' },
    waits: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const rounds = Number(values.rounds ?? (values.short ? 1 : 5))
const names = (values.only ?? (values.short ? 'galera' : Object.keys(clusterKinds).join())).split(',')

const report = ({ row, faults }: FaultOutcome): void => {
  console.log(JSON.stringify(row))
  for (const fault of faults.slice(0, 50)) console.log(`  BROKEN ${fault}`)
  if (faults.length > 50) console.log(`  and ${faults.length - 50} more`)
  if (faults.length > 0) process.exitCode = 1
}

const runOn = async ({ start, missing }: ClusterKind, name: string): Promise<void> => {
  const lacking = missing()
  if (lacking !== undefined) return console.error(`${name} is left out: there is no ${lacking}`)
  const { cluster, faults } = await start()
  let broken = 0
  try {
    console.log(cluster.what)
    const rows = await clusterRun(cluster, {
      faults: faults.filter(({ name }) => name.includes(values.faults)),
      rounds,
      pace: values.short ? 0.5 : 1,
      onOutcome: (outcome) => {
        report(outcome)
        if (outcome.faults.length > 0) broken += 1
      },
    })
    console.log(markdownTable(faultTable(rows), 1))
    const refused = values.save ? saveFaults(cluster.name, cluster.what, rows, broken) : undefined
    if (refused !== undefined) console.error(refused)
  } finally {
    await cluster.stop()
  }
}

if (values.help) console.log(usage)
else if (
  !Number.isInteger(rounds) ||
  rounds < 1 ||
  rounds > 100 ||
  names.some((name) => !(name in clusterKinds))
) {
  console.error(usage)
  process.exitCode = 2
} else if (values.waits) await measureWaits(values.save)
else for (const name of names) await runOn(clusterKinds[name] as ClusterKind, name)
