import { randomBytes } from 'node:crypto'
import test from 'ava'
import { createClient } from '@account-import/client'
import { startMariaDb, type MariaDb } from '../servers/index.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { cli } from '../support/cli-process.js'
import { serveProcess } from '../support/serve-process.js'

const key = { TOKEN_SIGNING_KEY: randomBytes(32).toString('base64') }

let server: MariaDb
test.before(async () => {
  server = await startMariaDb()
})
test.after.always(() => server.stop())

test('on a database server, serve and operator commands refuse while migrations are pending', async (t) => {
  const environment = { DATABASE_URL: await server.createDatabase(), ...key }
  const served = await cli(['serve', '--json'], environment)
  t.is(served.code, 3)
  t.is((JSON.parse(served.stdout) as { error: { code: string } }).error.code, 'migrations_pending')
  t.regex(served.stderr, /Run: \S.* migrate \(or start with: .* serve --migrate\)/)
  t.is((await cliInProcess(['organisation', 'list'], environment)).code, 3)
  t.is((await cliInProcess(['migrate'], environment)).code, 0)
  t.is((await cliInProcess(['organisation', 'list'], environment)).code, 0)
  t.truthy((await serveProcess(t, environment)).address)
})

test('serve --migrate runs pending migrations first and records that once, also when two servers start together', async (t) => {
  const environment = { DATABASE_URL: await server.createDatabase(), ...key }
  const servers = await Promise.all([
    serveProcess(t, environment, ['--migrate']),
    serveProcess(t, environment, ['--migrate']),
  ])
  for (const { address, child, ended } of servers) {
    t.is((await fetch(`${address}/nothing`)).status, 404)
    child.kill('SIGTERM')
    t.is((await ended).code, 0)
  }
  const { stdout } = await cliInProcess(['audit', 'list', '--json'], environment)
  const migrated = (JSON.parse(stdout) as { what: string; who: string; subject?: string }[]).filter(
    ({ subject }) => subject?.startsWith('migrate 0001-') === true,
  )
  t.deepEqual(
    migrated.map(({ what, who }) => [what, who]),
    [
      ['command_begun', 'service'],
      ['command_done', 'service'],
    ],
  )
})

test('a database that does not exist is named as the reason, without its address or user', async (t) => {
  const { code, stderr } = await cliInProcess(['migrate'], { DATABASE_URL: server.url('missing_canary') })
  t.is(code, 3)
  t.regex(stderr, /^The database that DATABASE_URL names does not exist/)
  t.notRegex(stderr, /canary|^\s+at /m)
})

test('a server that is gone ends operator commands with 3', async (t) => {
  const own = await startMariaDb()
  t.teardown(() => own.stop())
  const environment = { DATABASE_URL: await own.createDatabase() }
  t.is((await cliInProcess(['migrate'], environment)).code, 0)
  await own.kill()
  const { code, stderr } = await cliInProcess(['organisation', 'list'], environment)
  t.is(code, 3)
  t.regex(stderr, /^The database cannot be reached/)
})

test('a database that goes away gives 503 with Retry-After, and the server recovers by itself', async (t) => {
  const own = await startMariaDb()
  t.teardown(() => own.stop())
  const environment = { DATABASE_URL: await own.createDatabase(), ...key }
  const { address } = await serveProcess(t, environment, ['--migrate'])
  const run = async (...args: string[]): Promise<Record<string, unknown>> =>
    JSON.parse((await cliInProcess([...args, '--json'], environment)).stdout) as Record<string, unknown>
  await run('organisation', 'create', 'ACME')
  await run('supplier', 'create', 'S1', '--organisation', 'ACME')
  const { api_key: apiKey } = await run('api-key', 'create', '--organisation', 'ACME')
  const client = createClient({ baseUrl: address, apiKey: String(apiKey) })
  const status = () => client.transferStatus('S1', 'A-1')
  t.is((await status()).status, 404)
  await own.kill()
  const refused = await status()
  t.like(refused, { ok: false, status: 503, problem: { code: 'service_unavailable' } })
  t.true(!refused.ok && (refused.retryAfterSeconds ?? 0) > 0)
  await own.restart()
  t.is((await status()).status, 404)
})
