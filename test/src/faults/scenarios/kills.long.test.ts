import test from 'ava'
import { mariaDbAvailable } from '../../servers/index.js'
import { emailsRun, killsRun, type Work } from './kills.js'
import { importRun, restartRun } from './import.js'

/** `npm run faults -- kills` and `emails` make more kills. */
const backends = [
  ...(mariaDbAvailable() ? [{ backend: 'mariadb', name: 'MariaDB', kills: 3, mailKills: 2 } as const] : []),
  { backend: 'sqlite', name: 'SQLite', kills: 2, mailKills: 1 } as const,
]

const titles: Readonly<Record<Work, string>> = {
  accounts: 'under 8 clients that process: nothing half done, nothing lost',
  additions: 'under 8 clients that add to accounts: each request whole or not at all, once',
}

/** E-mails that are being sent at one time. */
const most = 4

for (const { backend, name, kills, mailKills } of backends) {
  for (const work of ['accounts', 'additions'] as const)
    test.serial(`${kills} kills of the server ${titles[work]} (${name})`, async (t) => {
      const { faults, interrupted, ...outcome } = await killsRun(backend, work, kills)
      t.log(JSON.stringify({ interrupted, ...outcome }))
      t.deepEqual(faults, [])
      t.true(interrupted > 0, 'no kill hit a request')
    })

  test.serial(`${mailKills} kills of a server that sends e-mails: none is lost (${name})`, async (t) => {
    t.timeout(400_000)
    const { faults, ...mailed } = await emailsRun(backend, mailKills)
    t.log(JSON.stringify(mailed))
    t.deepEqual(faults, [])
    t.is(mailed.delivered, mailed.accounts + mailed.repeated)
    t.true(mailed.repeated <= mailKills * most, 'only what was being sent can be sent again')
  })
}

/** Kills fall at random moments, and on a fast machine a run may be through before any of them. */
const mostRuns = 5

for (const { backend, name } of backends) {
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
