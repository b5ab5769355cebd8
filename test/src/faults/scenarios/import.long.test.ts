import test from 'ava'
import { mariaDbAvailable } from '../../servers/index.js'
import { importRun, restartRun } from './import.js'

/** Kills fall at random moments, and on a fast machine a run may be through before any of them. */
const mostRuns = 5

for (const [backend, name] of [
  ...(mariaDbAvailable() ? ([['mariadb', 'MariaDB']] as const) : []),
  ['sqlite', 'SQLite'] as const,
]) {
  test.serial(
    `an import command killed twice, and its server twice, creates each account once (${name})`,
    async (t) => {
      t.timeout(400_000)
      for (let run = 1; run <= mostRuns; run += 1) {
        const { createdAfterKill, accounts, faults } = await importRun(backend, 2, 800)
        t.log(JSON.stringify({ run, createdAfterKill, accounts }))
        t.deepEqual(faults, [])
        if (createdAfterKill.some((created) => created > 0 && created < accounts)) return
      }
      t.fail(`no kill fell into the work in ${mostRuns} runs`)
    },
  )

  test.serial(`an import goes on through the death and the restart of its server (${name})`, async (t) => {
    t.timeout(400_000)
    const { last, faults } = await restartRun(backend, 400)
    t.deepEqual(faults, [])
    t.true((last?.run.retries ?? 0) > 0, 'no request was hit')
  })
}
