import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { databaseBackends, onBackend, type DatabaseBackend } from '../support/on-backend.js'
import { withVersion } from './older-version.js'
import { upgradeRun } from './upgrade-run.js'

const usage = `npm run test:upgrade -- COMMIT [--backend mariadb|sqlite] [--must-start]
  Builds COMMIT, such as the version that runs somewhere, in a temporary folder, and lets servers of it and of this
  version work on one database, in both orders. --must-start: it is a fault if COMMIT cannot start on newer tables.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { backend: { type: 'string' }, 'must-start': { type: 'boolean', default: false } },
})
const [commit] = positionals
const backends: readonly DatabaseBackend[] = databaseBackends.filter(
  (each) => values.backend === undefined || each === values.backend,
)

const inBothOrders = async (program: string): Promise<void> => {
  for (const backend of backends)
    for (const first of ['older', 'this'] as const) {
      const dataDir = await mkdtemp(join(tmpdir(), 'account-import-upgrade-'))
      const summary = await onBackend[backend]((url) => upgradeRun(url, dataDir, first, program))
      await rm(dataDir, { recursive: true })
      console.log(JSON.stringify({ backend, commit, ...summary }))
      const mustServe = first === 'older' || values['must-start']
      if (summary.faults.length > 0 || (mustServe && summary.second !== 'served')) process.exitCode = 1
    }
}

if (commit === undefined || backends.length === 0 || positionals.length > 1) {
  console.error(usage)
  process.exitCode = 2
} else await withVersion(commit, inBothOrders)
