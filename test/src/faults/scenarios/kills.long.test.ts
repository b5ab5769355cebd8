import test from 'ava'
import { mariaDbAvailable, postgresqlAvailable } from '../../servers/index.js'
import type { DatabaseBackend } from '../../support/on-backend.js'
import { isThorough } from '../../support/properties.js'
import { emailsRun, killsRun, type Work } from './kills.js'
import { importRun, restartRun } from './import.js'

type Backend = Readonly<{ backend: DatabaseBackend; name: string; kills: number }>

/** `npm run test:all` makes more kills; long runs of properties restart the server of an import on MariaDB too. */
const sqlite: Backend = { backend: 'sqlite', name: 'SQLite', kills: 1 }
const served: Backend = mariaDbAvailable() ? { backend: 'mariadb', name: 'MariaDB', kills: 2 } : sqlite
const onPostgresql: readonly Backend[] = postgresqlAvailable()
  ? [{ backend: 'postgresql', name: 'PostgreSQL', kills: 1 }]
  : []

const titles: Readonly<Record<Work, string>> = {
  accounts: 'under 8 clients that process: nothing half done, nothing lost',
  additions: 'under 8 clients that add to accounts: each request whole or not at all, once',
}

/** E-mails that are being sent at one time. */
const most = 4

for (const { backend, name, kills } of new Set([served, sqlite, ...onPostgresql]))
  for (const work of ['accounts', 'additions'] as const)
    test.serial(`${kills} kills of the server ${titles[work]} (${name})`, async (t) => {
      const { faults, interrupted, ...outcome } = await killsRun(backend, work, kills)
      t.log(JSON.stringify({ interrupted, ...outcome }))
      t.deepEqual(faults, [])
      t.true(interrupted > 0, 'no kill hit a request')
    })

const mailKills = 1

test.serial(`a killed server that sends e-mails loses none (${sqlite.name})`, async (t) => {
  t.timeout(400_000)
  const { faults, ...mailed } = await emailsRun(sqlite.backend, mailKills)
  t.log(JSON.stringify(mailed))
  t.deepEqual(faults, [])
  t.is(mailed.delivered, mailed.accounts + mailed.repeated)
  t.true(mailed.repeated <= mailKills * most, 'only e-mails that were being sent can be sent again')
})

/** Kills happen at random moments, and on a fast machine a run may end before any of them. */
const mostRuns = 5

test.serial(
  `an import command killed twice, and its server twice, creates each account once (${served.name})`,
  async (t) => {
    t.timeout(400_000)
    for (let run = 1; run <= mostRuns; run += 1) {
      const { createdAfterKill, accounts, faults } = await importRun(served.backend, 2, 800)
      t.log(JSON.stringify({ run, createdAfterKill, accounts }))
      t.deepEqual(faults, [])
      if (createdAfterKill.some((created) => created > 0 && created < accounts)) return
    }
    t.fail(`no kill fell into the work in ${mostRuns} runs`)
  },
)

for (const { backend, name } of new Set(isThorough ? [sqlite, served, ...onPostgresql] : [sqlite]))
  test.serial(`an import continues after the death and the restart of its server (${name})`, async (t) => {
    t.timeout(400_000)
    const { last, faults } = await restartRun(backend, 400)
    t.deepEqual(faults, [])
    t.true((last?.run.retries ?? 0) > 0, 'no request was hit')
  })
