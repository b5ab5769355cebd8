import { connectSql } from '@account-import/adapter-sql'
import test from 'ava'
import { startedServers } from '../../support/started-servers.js'
import { startTcpProxy } from '../../support/tcp-proxy.js'
import { cutTests, silenceTests } from './wire-tests.js'

const servers = startedServers()

// The kinds that change most; `wire.rehearsal` has the others.
cutTests(servers, [
  ['database', 'processing', 6],
  ['database', 'bulk processing', 4],
  ['client', 'bulk staging', 3],
])

silenceTests(servers, [['processing', 'back']])

const mostMilliseconds = 30_000

for (const name of servers.names)
  test(`a first statement on a silent connection fails in time (${name})`, async (t) => {
    const address = new URL(await servers.server(name).createDatabase())
    const proxy = await startTcpProxy(Number(address.port))
    t.teardown(() => proxy.stop())
    address.port = String(proxy.port)
    const knex = connectSql(address.href, { maxConnections: 1 })
    t.teardown(() => knex.destroy())
    await knex.raw('SELECT 1')
    proxy.set({ kind: 'silence', way: 'back', after: 0 })
    const begun = Date.now()
    await t.throwsAsync(async () => knex.raw('SELECT ?', [1]), { message: /does not answer in time/ })
    t.true(Date.now() - begun < mostMilliseconds)
    proxy.heal()
    await t.notThrowsAsync(async () => knex.raw('SELECT ?', [1]))
  })
