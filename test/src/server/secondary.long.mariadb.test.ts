import { createClient } from '@account-import/client'
import test, { type ExecutionContext } from 'ava'
import { setTimeout as delay } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { cliInProcess } from '../support/cli-in-process.js'
import { cli } from '../support/cli-process.js'
import { inShort } from '../support/results.js'
import { gasAccount } from '../support/samples.js'
import { serveProcess } from '../support/serve-process.js'
import { startSwitchable, urlOf, type SwitchableServer } from '../support/server-pair.js'
import { openSharedDatabase, type SharedDatabase } from '../support/shared-database.js'
import { ready } from './support/ready.js'

const start = async (t: ExecutionContext): Promise<SwitchableServer> => {
  const server = await startSwitchable('empty')
  t.teardown(() => server.stop())
  return server
}

/** A server with an organisation, a supplier, a team and a key. */
const startSetUp = async (t: ExecutionContext): Promise<[SwitchableServer, SharedDatabase]> => {
  const server = await start(t)
  const database = await openSharedDatabase(urlOf([server]))
  t.teardown(() => database.close())
  return [server, database]
}

const readOnly = { status: 503, checks: { database: { state: 'failed', code: 'database_read_only' } } }

/** Milliseconds until `/readyz` answers with the status. */
const untilReadiness = async (address: string, status: number): Promise<number> => {
  const begun = performance.now()
  while ((await ready(address)).status !== status) {
    if (performance.now() - begun > 10_000) throw new Error(`not ${status} in 10 s`)
    await delay(50)
  }
  return performance.now() - begun
}

test('a server whose database stops accepting writes is not ready within two seconds, and ready again afterwards', async (t) => {
  const [server, { environment, supplier, apiKey }] = await startSetUp(t)
  const { address } = await serveProcess(t, environment)
  const client = createClient({ baseUrl: address, apiKey })
  t.is(inShort(await client.stageAccount(gasAccount(supplier, 'A-1'))), '201')
  t.is((await ready(address)).status, 200)
  await server.setReadOnly(true)
  t.true((await untilReadiness(address, 503)) < 2000)
  t.like(await ready(address), readOnly)
  t.is(inShort(await client.stageAccount(gasAccount(supplier, 'A-2'))), '503 service_unavailable')
  await server.setReadOnly(false)
  t.true((await untilReadiness(address, 200)) < 2000)
  t.is(inShort(await client.stageAccount(gasAccount(supplier, 'A-2'))), '201')
})

test('serve on a secondary starts, reports that it waits, and works when the database accepts writes', async (t) => {
  const [server, { environment, supplier, apiKey }] = await startSetUp(t)
  await server.setReadOnly(true)
  const { address, child, ended } = await serveProcess(t, environment)
  t.like(await ready(address), readOnly)
  t.is((await fetch(`${address}/livez`)).status, 200)
  await server.setReadOnly(false)
  t.true((await untilReadiness(address, 200)) < 2000)
  const client = createClient({ baseUrl: address, apiKey })
  t.is(inShort(await client.stageAccount(gasAccount(supplier, 'A-1'))), '201')
  child.kill('SIGTERM')
  const { code, stderr } = await ended
  t.is(code, 0)
  const entries = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const health = entries
    .filter(({ event }) => event === 'health')
    .map(({ component, state }) => [component, state])
  t.deepEqual(health.slice(0, 2), [
    ['database', 'failed'],
    ['migrations', 'unknown'],
  ])
  t.true(health.some(([component, state]) => component === 'database' && state === 'ok'))
})

test('serve on a secondary without the migrations refuses, and with --migrate waits until it can run them', async (t) => {
  const server = await start(t)
  await server.setReadOnly(true)
  const environment = {
    DATABASE_URL: urlOf([server]),
    TOKEN_SIGNING_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  const refused = await cli(['serve', '--json'], environment)
  t.is(refused.code, 3)
  t.is((JSON.parse(refused.stdout) as { error: { code: string } }).error.code, 'migrations_pending')
  const [{ address }] = await Promise.all([
    serveProcess(t, environment, ['--migrate']),
    delay(2000).then(() => server.setReadOnly(false)),
  ])
  t.is((await ready(address)).status, 200)
})

test('migrate --status writes nothing, on a secondary and on a new database', async (t) => {
  const server = await start(t)
  const environment = { DATABASE_URL: urlOf([server]) }
  const status = async (): Promise<{ applied: string[]; pending: string[] }> => {
    const { code, stdout, stderr } = await cliInProcess(['migrate', '--status', '--json'], environment)
    t.is(code, 0, stderr)
    return JSON.parse(stdout) as { applied: string[]; pending: string[] }
  }
  const before = await status()
  t.true(before.pending.length > 0 && before.applied.length === 0)
  const connection = await createConnection({ uri: urlOf([server]) })
  const [tables] = await connection.query('SHOW TABLES')
  await connection.end()
  t.deepEqual(tables, [])
  await server.setReadOnly(true)
  t.deepEqual(await status(), before)
  await server.setReadOnly(false)
  t.is((await cliInProcess(['migrate'], environment)).code, 0)
  await server.setReadOnly(true)
  t.deepEqual(await status(), { applied: before.pending, pending: [] })
})
