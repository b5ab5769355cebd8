import test, { type ExecutionContext } from 'ava'
import { mariaDbAvailable } from '../servers/index.js'
import { onBackend, type DatabaseBackend } from '../support/on-backend.js'
import { importCrashRun, restartRun } from './import-crash-run.js'

const passes = async (t: ExecutionContext, backend: DatabaseBackend, kills: number): Promise<void> => {
  t.timeout(400_000)
  const summary = await onBackend[backend]((url) => importCrashRun(url, kills, 600))
  const { createdAfterKill, accounts, seconds, faults } = summary
  t.log(JSON.stringify({ createdAfterKill, accounts, seconds }))
  t.deepEqual(faults, [])
  t.true(
    createdAfterKill.some((created) => created > 0 && created < accounts),
    'no kill fell into the work',
  )
}

if (mariaDbAvailable())
  test.serial('an import command killed, and its server too, creates each account once (MariaDB)', (t) =>
    passes(t, 'mariadb', 1),
  )

test.serial('an import command killed, and its server too, creates each account once (SQLite)', (t) =>
  passes(t, 'sqlite', 1),
)

const goesOn = async (t: ExecutionContext, backend: DatabaseBackend): Promise<void> => {
  t.timeout(400_000)
  const { last, faults } = await onBackend[backend]((url) => restartRun(url, 400))
  t.deepEqual(faults, [])
  t.true((last?.run.retries ?? 0) > 0, 'no request was hit')
}

if (mariaDbAvailable())
  test.serial('an import goes on through the death and the restart of its server (MariaDB)', (t) =>
    goesOn(t, 'mariadb'),
  )

test.serial('an import goes on through the death and the restart of its server (SQLite)', (t) =>
  goesOn(t, 'sqlite'),
)
