import test, { type ExecutionContext } from 'ava'
import { startMariaDb, type MariaDb } from '../../servers/index.js'
import { onBackend } from '../../support/on-backend.js'
import { cutRun, type CutOutcome } from './wire.js'
import type { RequestKind } from '../loads/requests.js'
import type { Place } from '../world/world.js'

let mariaDb: MariaDb

test.before('start MariaDB', async () => {
  mariaDb = await startMariaDb()
})
test.after.always('stop MariaDB', () => mariaDb.stop())

/** Some cuts of each are enough in every run: `npm run faults -- wire` makes them all. */
const most: readonly (readonly [RequestKind, Readonly<Record<Place, number>>])[] = [
  ['staging', { database: 12, client: 6 }],
  ['processing', { database: 28, client: 10 }],
  ['bulk staging', { database: 8, client: 6 }],
  ['bulk processing', { database: 12, client: 6 }],
  ['additions', { database: 28, client: 6 }],
]

const isWell = (t: ExecutionContext, { faults, figures }: CutOutcome): void => {
  t.log(JSON.stringify(figures))
  t.deepEqual(faults, [])
  t.true(figures.happened > figures.cuts / 2, 'most cuts came too late to hit the request')
}

const titles: Readonly<Record<Place, string>> = {
  database: 'connections to the database that are cut at any byte',
  client: 'connections of clients that are cut at any byte',
}

for (const place of ['database', 'client'] as const)
  for (const [kind, cuts] of most)
    test.serial(
      `${titles[place]} of ${kind}: done or asked again, nothing twice or half there`,
      async (t) => {
        isWell(t, await cutRun(await mariaDb.createDatabase(), place, kind, cuts[place]))
      },
    )

test.serial(
  `${titles.client} of bulk processing on SQLite: done or asked again, nothing twice`,
  async (t) => {
    isWell(t, await onBackend.sqlite((url) => cutRun(url, 'client', 'bulk processing', 8)))
  },
)
