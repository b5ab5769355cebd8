import test, { type ExecutionContext } from 'ava'
import { mariaDbAvailable } from '../servers/index.js'
import { additionsCrashRun } from './additions/additions-run.js'
import { onBackend, type DatabaseBackend } from './on-backend.js'

const judged = async (t: ExecutionContext, backend: DatabaseBackend, kills: number): Promise<void> => {
  const summary = await onBackend[backend]((url) => additionsCrashRun(url, kills))
  t.log(JSON.stringify(summary))
  t.deepEqual(summary.faults, [])
  t.is(summary.acknowledged + summary.addedUnanswered, summary.requests)
  t.true(summary.interrupted > 0, 'no kill hit a request')
}

if (mariaDbAvailable())
  test.serial(
    '10 kills of the server under 8 clients that add to accounts: each request whole or not at all, once (MariaDB)',
    (t) => judged(t, 'mariadb', 10),
  )

test.serial(
  '4 kills of the server under 8 clients that add to accounts: each request whole or not at all, once (SQLite)',
  (t) => judged(t, 'sqlite', 4),
)
