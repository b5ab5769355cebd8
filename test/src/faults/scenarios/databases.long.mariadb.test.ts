import test, { type ExecutionContext } from 'ava'
import { smallDiskAvailable } from '../../servers/index.js'
import type { DatabaseKind } from '../databases.js'
import type { FaultOutcome } from '../fault-run.js'
import { outcomeOf, tried } from './one-fault.js'

/** It happens in one of a few runs. */
const mostDamaged = 4
const mostMilliseconds = 400_000

/**
 * The same on a full disk. InnoDB may then lose a committed row (docs/reference/mysql.md). If CHECK TABLE finds an index entry
 * without its row, the run does not prove a loss by the service: it is reported, and another run has to be whole.
 */
const whole = async (t: ExecutionContext, kind: DatabaseKind, faults: string): Promise<FaultOutcome> => {
  t.timeout(mostMilliseconds)
  for (let damaged = 0; ; damaged += 1) {
    const outcome = await outcomeOf(kind, faults)
    if (outcome.damage.length === 0 || damaged === mostDamaged) return outcome
    t.log(`the database damaged itself: ${[...outcome.damage, ...outcome.faults].join('; ')}`)
    t.is(outcome.row.doubled + outcome.row.errors500, 0)
  }
}

test.serial('MariaDB killed three times under load loses, doubles and half-writes nothing', async (t) => {
  tried(t, await outcomeOf('mariadb', 'database killed'))
})

if (smallDiskAvailable())
  for (const [name, kind] of Object.entries({ MariaDB: 'mariadb', SQLite: 'sqlite' } as const))
    test.serial(
      `a full disk of ${name} under load gives 503, and everything is done after there is space again`,
      async (t) => {
        const { requests, acknowledged } = tried(t, await whole(t, kind, 'disk full'))
        t.true(acknowledged < requests, 'the disk was not full')
      },
    )
