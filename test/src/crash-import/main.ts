import { parseArgs } from 'node:util'
import { databaseBackends, onBackend } from '../support/on-backend.js'
import { importCrashRun } from './import-crash-run.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    lines: { type: 'string', default: '12000' },
    backend: { type: 'string', default: 'mariadb' },
  },
})
const [kills, lines] = [Number(values.kills), Number(values.lines)]
const backend = databaseBackends.find((each) => each === values.backend)

if (
  backend === undefined ||
  !(Number.isInteger(kills) && kills > 0) ||
  !(Number.isInteger(lines) && lines > 0)
) {
  console.error('Usage: crash:import [--kills 1..] [--lines 1..] [--backend mariadb|sqlite]')
  process.exitCode = 2
} else {
  const summary = await onBackend[backend]((url) => importCrashRun(url, kills, lines))
  console.log(JSON.stringify({ backend, ...summary }))
  process.exitCode = summary.faults.length === 0 ? 0 : 1
}
