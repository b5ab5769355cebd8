import test, { type ExecutionContext } from 'ava'
import { mariaDbAvailable } from '../servers/index.js'
import { onBackend, type DatabaseBackend } from '../support/on-backend.js'
import { importCrashRun } from './import-crash-run.js'

const passes = async (t: ExecutionContext, backend: DatabaseBackend, kills: number): Promise<void> => {
  t.timeout(400_000)
  const summary = await onBackend[backend]((url) => importCrashRun(url, kills, 1000))
  t.log(JSON.stringify(summary))
  t.deepEqual(summary.faults, [])
  const { createdAfterKill, accounts } = summary
  t.true(
    createdAfterKill.some((created) => created > 0 && created < accounts),
    'no kill fell into the work',
  )
}

if (mariaDbAvailable())
  test.serial(
    'an import command killed 3 times, and its server 3 times, creates each account once (MariaDB)',
    (t) => passes(t, 'mariadb', 3),
  )

test.serial(
  'an import command killed 2 times, and its server 2 times, creates each account once (SQLite)',
  (t) => passes(t, 'sqlite', 2),
)
