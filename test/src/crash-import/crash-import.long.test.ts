import test, { type ExecutionContext } from 'ava'
import { mariaDbAvailable } from '../servers/index.js'
import { onBackend, type DatabaseBackend } from '../support/on-backend.js'
import { importCrashRun, restartRun } from './import-crash-run.js'

/** Kills fall at random moments, and on a fast machine a run may be through before any of them. */
const mostRuns = 5

const passes = async (t: ExecutionContext, backend: DatabaseBackend): Promise<void> => {
  t.timeout(400_000)
  for (let run = 1; run <= mostRuns; run += 1) {
    const summary = await onBackend[backend]((url) => importCrashRun(url, 2, 800))
    const { createdAfterKill, accounts, seconds, faults } = summary
    t.log(JSON.stringify({ run, createdAfterKill, accounts, seconds }))
    t.deepEqual(faults, [])
    if (createdAfterKill.some((created) => created > 0 && created < accounts)) return
  }
  t.fail(`no kill fell into the work in ${mostRuns} runs`)
}

if (mariaDbAvailable())
  test.serial(
    'an import command killed twice, and its server twice, creates each account once (MariaDB)',
    (t) => passes(t, 'mariadb'),
  )

test.serial('an import command killed twice, and its server twice, creates each account once (SQLite)', (t) =>
  passes(t, 'sqlite'),
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
