import test from 'ava'
import { onBackend } from '../../support/on-backend.js'
import { startedServers } from '../../support/started-servers.js'
import { cutRun, latencyRun } from './wire.js'
import { cutTests, isWell, silenceTests } from './wire-tests.js'

const servers = startedServers()

/** Some cuts of each are enough here: `npm run faults -- wire` makes them all. */
cutTests(servers, [
  ['database', 'staging', 4],
  ['database', 'bulk staging', 4],
  ['database', 'additions', 8],
  ['client', 'staging', 3],
  ['client', 'processing', 3],
  ['client', 'bulk processing', 3],
  ['client', 'additions', 3],
])

test.serial(
  'connections of clients that are cut at any byte of bulk processing: the request is done or repeated, nothing twice (SQLite)',
  async (t) => {
    isWell(t, await onBackend.sqlite((url) => cutRun(url, 'client', 'bulk processing', 3)))
  },
)

silenceTests(servers, [
  ['staging', 'there'],
  ['staging', 'back'],
  ['processing', 'there'],
])

for (const name of servers.names)
  test(`a database 25 ms away each way completes single and bulk requests without a refusal (${name})`, async (t) => {
    const { row, faults } = await latencyRun(await servers.server(name).createDatabase())
    t.log(JSON.stringify(row))
    t.deepEqual(faults, [])
    t.is(row.injected, 42)
  })
