import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@account-import/client'
import { StartError } from '@account-import/server'
import test from 'ava'
import { createConnection } from 'mysql2/promise'
import { sendGraphql, type GraphqlBody } from '../http/support/graphql.js'
import { smallDiskAvailable, startMariaDb, startSmallDisk, until, type MariaDb } from '../servers/index.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { cli } from '../support/cli-process.js'
import { openSharedDatabase } from '../support/shared-database.js'
import { worksOnLaterTables } from './support/later-tables.js'
import { ready } from './support/ready.js'
import { shell } from './support/shell.js'
import { started } from './support/started.js'

const key = { TOKEN_SIGNING_KEY: randomBytes(32).toString('base64') }

let server: MariaDb
test.before(async () => {
  server = await startMariaDb()
})
test.after.always(() => server.stop())

const untilReady = (address: string, status: number): Promise<void> =>
  until(async () => (await ready(address)).status === status, `/readyz answers ${status}`)

const failed = (code: string) => ({
  database: { state: 'failed', code },
  migrations: { state: 'unknown', code },
})

// It runs first and alone, because it stops the server of all tests.
test.serial(
  'a server whose database is gone or hangs is alive, not ready, responds 503 and recovers, and commands exit with 3',
  async (t) => {
    const database = await openSharedDatabase(await server.createDatabase())
    t.teardown(() => database.close())
    const { address } = await started(t, database.environment)
    const client = createClient({ baseUrl: address, apiKey: database.apiKey })
    const status = () => client.transferStatus(database.supplier, 'A-1')
    t.is((await ready(address)).status, 200)
    t.is((await status()).status, 404)

    await server.kill()
    const refused = await status()
    t.like(refused, { ok: false, status: 503, problem: { code: 'service_unavailable' } })
    t.true(!refused.ok && (refused.retryAfterSeconds ?? 0) > 0)
    await delay(1100)
    t.like(await ready(address), { status: 503, checks: failed('database_unavailable') })
    t.is((await fetch(`${address}/livez`)).status, 200)
    const { code, stderr } = await cliInProcess(['organisation', 'list'], database.environment)
    t.is(code, 3)
    t.regex(stderr, /^The database cannot be reached/)
    await server.restart()
    await untilReady(address, 200)
    t.is((await status()).status, 404)

    process.kill(server.pid, 'SIGSTOP')
    try {
      await delay(1100)
      const still = await ready(address)
      t.like(still, { status: 503, checks: failed('timed_out') })
      const again = await ready(address)
      t.is(again.status, 503)
      t.true(still.milliseconds < 6000 && again.milliseconds < 1500, JSON.stringify([still, again]))
    } finally {
      process.kill(server.pid, 'SIGCONT')
    }
    await untilReady(address, 200)
  },
)

test('a server works on tables of the next version without migrating (MariaDB)', async (t) =>
  worksOnLaterTables(t, await server.createDatabase()))

test('serve and operator commands refuse while migrations are pending on a database server', async (t) => {
  const environment = { DATABASE_URL: await server.createDatabase(), ...key }
  const refused = await t.throwsAsync(started(t, environment), { instanceOf: StartError })
  t.is(refused.code, 'migrations_pending')
  t.regex(refused.message, /Run: \S.* migrate \(or start with: .* serve --migrate\)/)
  const codes: (number | null)[] = []
  for (const command of [['organisation', 'list'], ['migrate'], ['organisation', 'list']])
    codes.push((await cliInProcess(command, environment)).code)
  t.deepEqual(codes, [3, 0, 0])
  t.truthy((await started(t, environment)).address)
})

test('serve --migrate runs pending migrations first and records them once, also for two servers at once', async (t) => {
  const environment = { DATABASE_URL: await server.createDatabase(), ...key }
  const start = () => started(t, environment, { migrate: true })
  for (const { address, stop } of await Promise.all([start(), start()])) {
    t.is((await fetch(`${address}/nothing`)).status, 404)
    await stop()
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

test('a missing database is named as the reason, without its address or user', async (t) => {
  const { code, stderr } = await cliInProcess(['migrate'], { DATABASE_URL: server.url('missing_canary') })
  t.is(code, 3)
  t.regex(stderr, /^The database that DATABASE_URL names does not exist/)
  t.notRegex(stderr, /canary|^\s+at /m)
})

const asRoot = async (...statements: readonly string[]): Promise<void> => {
  const connection = await createConnection(server.url(''))
  for (const statement of statements) await connection.query(statement)
  await connection.end()
}

/** A database with a user with these rights in it, and the address for that user. */
const grantedTo = async (
  user: string,
  rights: string,
  host = "@'127.0.0.1'",
): Promise<Readonly<{ name: string; all: string; url: string }>> => {
  const all = await server.createDatabase()
  const name = new URL(all).pathname.slice(1)
  await asRoot(`CREATE USER ${user}${host}`, `GRANT ${rights} ON ${name}.* TO ${user}${host}`)
  return { name, all, url: all.replace('//root@', `//${user}@`) }
}

const obtainToken = 'mutation ($apiKey: String!) { obtainToken(input: {apiKey: $apiKey}) { token } }'

/** The status of a login, and the code of its error. */
const login = async (address: string, apiKey: string): Promise<readonly unknown[]> => {
  const answer = await sendGraphql(address, { query: obtainToken, variables: { apiKey } })
  const { errors } = (await answer.json()) as GraphqlBody
  return [answer.status, errors?.[0]?.extensions?.['code']]
}

test('a user with read rights only makes a server not ready with right, table and user in its log, and logins 503', async (t) => {
  const { name, all, url } = await grantedTo('onlyreads', 'SELECT')
  const { run, json } = await shell(t, { DATABASE_URL: all, ...key })
  for (const line of ['migrate', 'organisation create ACME']) t.is((await run(line)).code, 0)
  const apiKey = String((await json('api-key create --organisation ACME'))['api_key'])
  const { address, entries } = await started(t, { DATABASE_URL: url, ...key })
  t.like(await ready(address), {
    status: 503,
    checks: { database: { state: 'failed', code: 'database_refused' } },
  })
  t.deepEqual(await login(address, apiKey), [503, 'SERVICE_UNAVAILABLE'])
  await asRoot(`GRANT INSERT, UPDATE, DELETE ON ${name}.* TO onlyreads@'127.0.0.1'`)
  await untilReady(address, 200)
  t.deepEqual(await login(address, apiKey), [200, undefined])
  const said = entries.find(({ event }) => event === 'health')
  t.is(said?.['reason'], 'ER_TABLEACCESS_DENIED_ERROR')
  t.regex(
    String(said?.['message']),
    new RegExp(
      `^The database refuses INSERT(?:, UPDATE)? on ${name}\\.rate_limits to 'onlyreads'@'127\\.0\\.0\\.1'\\. .* GRANT SELECT, INSERT, .* ON ${name}\\.\\*`,
    ),
  )
})

test('a command whose user lacks a right prints right, table, user and the GRANT, and no SQL', async (t) => {
  const { name, url } = await grantedTo('makesnothing', 'SELECT, INSERT, UPDATE, DELETE')
  const { code, stderr } = await cliInProcess(['migrate'], { DATABASE_URL: url, ...key })
  t.is(code, 3)
  t.regex(
    stderr,
    new RegExp(
      `^The database refuses CREATE on ${name}\\.\\w+ to 'makesnothing'@'127\\.0\\.0\\.1'\\. .* ON ${name}\\.\\* TO 'makesnothing'@'%';`,
    ),
  )
  t.notRegex(stderr, /INTEGER|PRIMARY|^\s+at /m)
  const other = (await server.createDatabase()).replace('//root@', '//makesnothing@')
  const refused = await cliInProcess(['migrate'], { DATABASE_URL: other, ...key })
  t.regex(refused.stderr, /^The database refuses everything on \w+\.\* to 'makesnothing'@'127\.0\.0\.1'\. /)
})

test('the GRANT that a refused command prints works for a user that was created without a host', async (t) => {
  const { url } = await grantedTo('createdasonthepage', 'SELECT', '')
  const { stderr } = await cliInProcess(['migrate'], { DATABASE_URL: url, ...key })
  await asRoot(/GRANT .*;/.exec(stderr)?.[0] ?? 'no GRANT')
  t.is((await cliInProcess(['migrate'], { DATABASE_URL: url, ...key })).code, 0)
})

const users: readonly (readonly [user: string, made: string, said: RegExp])[] = [
  [
    'locked',
    'ACCOUNT LOCK',
    /^The database user 'locked' is locked\. .*: ALTER USER 'locked'@'<host>' ACCOUNT UNLOCK;/,
  ],
  [
    'expired',
    'PASSWORD EXPIRE',
    /^The database user 'expired' has an expired password\. .* IDENTIFIED BY '…';/,
  ],
  [
    'plugin',
    "IDENTIFIED VIA ed25519 USING PASSWORD('x')",
    /^The database user 'plugin' logs in by a plugin .* mysql_native_password/,
  ],
]

test('a command whose user cannot log in names the user and the remedy', async (t) => {
  await asRoot("INSTALL SONAME 'auth_ed25519'")
  const all = await server.createDatabase()
  for (const [user, made, said] of users) {
    await asRoot(`CREATE USER ${user} ${made}`, `GRANT ALL ON ${new URL(all).pathname.slice(1)}.* TO ${user}`)
    const url = all.replace('//root@', `//${user}@`)
    const { code, stderr } = await cliInProcess(['migrate'], { DATABASE_URL: url, ...key })
    t.is(code, 3)
    t.regex(stderr, said)
  }
})

test('a process that may not make functions of texts uses a database server', async (t) => {
  const NODE_OPTIONS = '--disallow-code-generation-from-strings'
  const outcome = await cli(['migrate'], {
    DATABASE_URL: await server.createDatabase(),
    NODE_OPTIONS,
    ...key,
  })
  t.is(outcome.code, 0, outcome.stderr)
})

if (smallDiskAvailable())
  test('a full disk makes a server on SQLite not ready until there is space', async (t) => {
    const disk = await startSmallDisk(4)
    t.teardown(() => disk.stop())
    const { address } = await started(t, { DATABASE_URL: `sqlite:${disk.folder}/imports.sqlite` })
    t.is((await ready(address)).status, 200)
    disk.fill()
    await untilReady(address, 503)
    const { checks } = await ready(address)
    t.like(checks, { database: { state: 'failed', code: 'database_unavailable' } })
    disk.makeRoom()
    await untilReady(address, 200)
  })
