import { parseArgs } from 'node:util'
import { databaseBackends, onBackend } from '../support/on-backend.js'
import { emailCrashRun } from './email-crash-run.js'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '20' }, backend: { type: 'string', default: 'mariadb' } },
})
const kills = Number(values.kills)
const backend = databaseBackends.find((each) => each === values.backend)

if (backend === undefined || !Number.isInteger(kills) || kills < 1) {
  console.error('Usage: crash:emails [--kills 1..] [--backend mariadb|sqlite]')
  process.exitCode = 2
} else {
  const summary = await onBackend[backend]((url) => emailCrashRun(url, kills))
  console.log(JSON.stringify({ backend, ...summary }))
  process.exitCode = summary.faults.length === 0 ? 0 : 1
}
