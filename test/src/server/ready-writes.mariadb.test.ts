import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { createConnection } from 'mysql2/promise'
import { smallDiskAvailable, startMariaDb, startSmallDisk, until, type MariaDb } from '../servers/index.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'

const key = { TOKEN_SIGNING_KEY: randomBytes(32).toString('base64') }

let server: MariaDb
test.before(async () => {
  server = await startMariaDb()
})
test.after.always(() => server.stop())

const asRoot = async (...statements: readonly string[]): Promise<void> => {
  const connection = await createConnection(server.url(''))
  for (const statement of statements) await connection.query(statement)
  await connection.end()
}

/** A database with a user who has these rights in it, and the address for that user. */
const grantedTo = async (
  user: string,
  rights: string,
): Promise<Readonly<{ name: string; all: string; url: string }>> => {
  const all = await server.createDatabase()
  const name = new URL(all).pathname.slice(1)
  await asRoot(`CREATE USER ${user}@'127.0.0.1'`, `GRANT ${rights} ON ${name}.* TO ${user}@'127.0.0.1'`)
  return { name, all, url: all.replace('//root@', `//${user}@`) }
}

type Ready = Readonly<{ status: number; database: unknown }>

const ready = async (address: string): Promise<Ready> => {
  const answer = await fetch(`${address}/readyz`)
  const { checks } = (await answer.json()) as { checks: Record<string, unknown> }
  return { status: answer.status, database: checks['database'] }
}

const untilReady = (address: string, status: number): Promise<void> =>
  until(async () => (await ready(address)).status === status, `/readyz answers ${status}`)

const obtainToken = 'mutation ($apiKey: String!) { obtainToken(input: {apiKey: $apiKey}) { token } }'

/** The status of a login, and the code of its error. */
const login = async (address: string, apiKey: string): Promise<readonly unknown[]> => {
  const answer = await fetch(`${address}/v1/graphql/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: obtainToken, variables: { apiKey } }),
  })
  const { errors } = (await answer.json()) as { errors?: readonly { extensions: { code: string } }[] }
  return [answer.status, errors?.[0]?.extensions.code]
}

test('a user who may only read makes a server not ready, its log names right, table and user, and logins are 503', async (t) => {
  const { name, all, url } = await grantedTo('onlyreads', 'SELECT')
  const asAdmin = { DATABASE_URL: all, ...key }
  t.is((await cliInProcess(['migrate'], asAdmin)).code, 0)
  t.is((await cliInProcess(['organisation', 'create', 'ACME'], asAdmin)).code, 0)
  const made = await cliInProcess(['api-key', 'create', '--organisation', 'ACME', '--json'], asAdmin)
  const { api_key: apiKey } = JSON.parse(made.stdout) as { api_key: string }
  const { address, child, ended } = await serveProcess(t, { DATABASE_URL: url, ...key })
  t.deepEqual(await ready(address), {
    status: 503,
    database: { state: 'failed', code: 'database_refused' },
  })
  t.deepEqual(await login(address, apiKey), [503, 'SERVICE_UNAVAILABLE'])
  await asRoot(`GRANT INSERT, UPDATE, DELETE ON ${name}.* TO onlyreads@'127.0.0.1'`)
  await untilReady(address, 200)
  t.deepEqual(await login(address, apiKey), [200, undefined])
  child.kill('SIGTERM')
  const { stderr } = await ended
  const said = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .find(({ event }) => event === 'health')
  t.is(said?.['reason'], 'ER_TABLEACCESS_DENIED_ERROR')
  t.regex(
    String(said?.['message']),
    new RegExp(
      `^The database refuses INSERT(?:, UPDATE)? on ${name}\\.rate_limits to 'onlyreads'@'127\\.0\\.0\\.1'\\. .* GRANT SELECT, INSERT, .* ON ${name}\\.\\*`,
    ),
  )
})

test('a command whose user lacks a right says which, on what and whose, and what to grant; and no SQL', async (t) => {
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
  const other = await server.createDatabase()
  const refused = await cliInProcess(['migrate'], {
    DATABASE_URL: other.replace('//root@', '//makesnothing@'),
    ...key,
  })
  t.regex(refused.stderr, /^The database refuses everything on \w+\.\* to 'makesnothing'@'127\.0\.0\.1'\. /)
})

test('the GRANT that a refused command prints works as it is for a user that was created without a host', async (t) => {
  const all = await server.createDatabase()
  const name = new URL(all).pathname.slice(1)
  await asRoot('CREATE USER createdasonthepage', `GRANT SELECT ON ${name}.* TO createdasonthepage`)
  const environment = { DATABASE_URL: all.replace('//root@', '//createdasonthepage@'), ...key }
  const { stderr } = await cliInProcess(['migrate'], environment)
  await asRoot(/GRANT .*;/.exec(stderr)?.[0] ?? 'no GRANT')
  t.is((await cliInProcess(['migrate'], environment)).code, 0)
})

const takesTurns = async (t: ExecutionContext, folder: string, fill: () => void, room: () => void) => {
  const environment = { DATABASE_URL: `sqlite:${folder}/imports.sqlite`, DATA_DIR: await tempFolder(t) }
  const { address } = await serveProcess(t, environment)
  t.is((await ready(address)).status, 200)
  fill()
  await untilReady(address, 503)
  t.deepEqual(await ready(address), {
    status: 503,
    database: { state: 'failed', code: 'database_unavailable' },
  })
  room()
  await untilReady(address, 200)
}

if (smallDiskAvailable())
  test('a full disk makes a server on SQLite not ready, until there is room', async (t) => {
    const disk = await startSmallDisk(4)
    t.teardown(() => disk.stop())
    await takesTurns(t, disk.folder, disk.fill, disk.makeRoom)
  })
