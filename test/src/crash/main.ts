import { parseArgs } from 'node:util'
import { additionsCrashRun } from './additions/additions-run.js'
import { crashRun } from './crash-run.js'
import { databaseBackends, onBackend } from '../support/on-backend.js'

const usage = 'crash [--work accounts|additions] [--kills 1..] [--backend mariadb|sqlite]'

type Summary = Readonly<{ faults: readonly string[] }>

/** What the server does when it is killed. */
const names = ['accounts', 'additions'] as const
const works: Readonly<Record<(typeof names)[number], (url: string, kills: number) => Promise<Summary>>> = {
  accounts: crashRun,
  additions: additionsCrashRun,
}

const { values } = parseArgs({
  options: {
    work: { type: 'string', default: 'accounts' },
    kills: { type: 'string', default: '100' },
    backend: { type: 'string', default: 'mariadb' },
  },
})
const kills = Number(values.kills)
const backend = databaseBackends.find((each) => each === values.backend)
const work = names.find((each) => each === values.work)

if (backend === undefined || work === undefined || !Number.isInteger(kills) || kills < 1) {
  console.error(`Usage: ${usage}`)
  process.exitCode = 2
} else {
  const summary = await onBackend[backend]((url) => works[work](url, kills))
  console.log(JSON.stringify({ backend, work, ...summary }))
  process.exitCode = summary.faults.length === 0 ? 0 : 1
}
