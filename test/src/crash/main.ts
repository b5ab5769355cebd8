import { parseArgs } from 'node:util'
import { crashRun } from './crash-run.js'
import { databaseBackends, onBackend } from './on-backend.js'

const usage = 'crash [--kills 1..] [--backend mariadb|sqlite]'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '100' }, backend: { type: 'string', default: 'mariadb' } },
})
const kills = Number(values.kills)
const backend = databaseBackends.find((each) => each === values.backend)

if (backend === undefined || !Number.isInteger(kills) || kills < 1) {
  console.error(`Usage: ${usage}`)
  process.exitCode = 2
} else {
  const summary = await onBackend[backend]((url) => crashRun(url, kills))
  console.log(JSON.stringify({ backend, ...summary }))
  process.exitCode = summary.faults.length === 0 ? 0 : 1
}
