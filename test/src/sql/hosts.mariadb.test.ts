import { assertTakesWrites, connectSql, createSqlPorts, type OnRetry } from '@account-import/adapter-sql'
import type { StorePorts } from '@account-import/core'
import test, { type ExecutionContext } from 'ava'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort, makeCertificates, until, type Certificates } from '../servers/index.js'
import { answer, failure } from '../support/answers.js'
import { startSwitchable, urlOf, type SwitchableServer } from '../support/server-pair.js'
import { keyOf, stagingOf } from './support/imports.js'

type Pair = readonly [first: SwitchableServer, second: SwitchableServer]
type Retry = Parameters<OnRetry>[0]

type Opened = Readonly<{ knex: ReturnType<typeof connectSql>; ports: StorePorts; retries: readonly Retry[] }>

const open = (t: ExecutionContext, servers: readonly SwitchableServer[]): Opened => {
  const retries: Retry[] = []
  const knex = connectSql(urlOf(servers), { maxConnections: 8 })
  t.teardown(() => knex.destroy())
  return { knex, retries, ports: createSqlPorts(knex, { onRetry: (retry) => retries.push(retry) }) }
}

let servers: Pair

test.before('start two servers with the tables', async () => {
  servers = await Promise.all([startSwitchable('with tables'), startSwitchable('with tables')])
})
test.after.always('stop them', async () => {
  await Promise.all(servers.map((server) => server.stop()))
})

/** Two servers without imports, of which the first takes writes. */
const pair = async (): Promise<Pair> => {
  for (const server of servers) await server.reset()
  await servers[1].setReadOnly(true)
  return servers
}

let numbers = 0

/** Ends its own transactions, as many at a time as there are connections. */
const stageMany = ({ ports: { unitOfWork } }: Opened, count: number) =>
  Promise.all(
    Array.from({ length: count }, () => {
      numbers += 1
      const staging = stagingOf(`A-${numbers}`)
      return unitOfWork.run('ACME', (stores) => stores.accountImports.stage([staging]))
    }),
  )

const countFailed = (results: readonly Readonly<{ _tag: 'Left' | 'Right' }>[]): number =>
  results.filter(({ _tag }) => _tag === 'Left').length

/** Milliseconds until a staging succeeds; every failed one has to be unavailable. */
const untilStaged = async (t: ExecutionContext, { ports: { accountImports } }: Opened): Promise<number> => {
  const begun = performance.now()
  for (;;) {
    numbers += 1
    const result = await accountImports.stage([stagingOf(`A-${numbers}`)])
    if (result._tag === 'Right') return performance.now() - begun
    t.is(result.left.kind, 'unavailable')
    if (performance.now() - begun > 20_000) throw new Error('nothing was staged in 20 s')
    await delay(20)
  }
}

test.serial('a pool with several servers uses the primary, for reads too, in any order', async (t) => {
  const [writer, secondary] = await pair()
  const opened = open(t, [secondary, writer])
  t.is(countFailed(await stageMany(opened, 20)), 0)
  t.deepEqual([await writer.imports(), await secondary.imports()], [20, 0])
  t.is((await answer(opened.ports.accountImports.find(keyOf(`A-${numbers}`))))?.stagedVersion, 1)
  await until(
    async () => (await secondary.connections()) === 0,
    'nothing stays open where nothing is to be done',
  )
})

test.serial('all connections follow at once when the primary changes, and no work fails', async (t) => {
  const [first, second] = await pair()
  const opened = open(t, [first, second])
  t.is(countFailed(await stageMany(opened, 40)), 0)
  await first.setReadOnly(true)
  await second.setReadOnly(false)
  t.is(countFailed(await stageMany(opened, 40)), 0)
  t.deepEqual([await first.imports(), await second.imports()], [40, 40])
  t.true(opened.retries.length > 0 && opened.retries.every(({ reason }) => reason === 'read_only'))
  await until(async () => (await first.connections()) === 0, 'none of its connections is kept')
})

test.serial(
  'a single server that stops accepting writes is unavailable, and used again when it accepts them',
  async (t) => {
    const [first] = await pair()
    const opened = open(t, [first])
    t.is(countFailed(await stageMany(opened, 8)), 0)
    await first.setReadOnly(true)
    const { kind, cause } = await failure(opened.ports.accountImports.stage([stagingOf('B')]))
    t.is(kind, 'unavailable')
    t.like(cause, { code: 'DATABASE_READ_ONLY' })
    t.is((await failure(opened.ports.accountImports.find(keyOf('A-1')))).kind, 'unavailable')
    await first.setReadOnly(false)
    t.is(countFailed(await stageMany(opened, 8)), 0)
  },
)

test.serial(
  'a server in use that stops accepting writes is found by a query, before any work fails',
  async (t) => {
    const [first, second] = await pair()
    const opened = open(t, [first, second])
    await assertTakesWrites(opened.knex)
    await first.setReadOnly(true)
    await t.throwsAsync(assertTakesWrites(opened.knex), {
      name: 'DatabaseError',
      message: /DATABASE_READ_ONLY/,
    })
    await second.setReadOnly(false)
    await assertTakesWrites(opened.knex)
    t.is(countFailed(await stageMany(opened, 8)), 0)
    t.deepEqual(opened.retries, [])
    t.is(await second.imports(), 8)
  },
)

test.serial('a server that takes no writes is found where its sessions read one row at most', async (t) => {
  const [first, second] = await pair()
  for (const { server } of [first, second]) await server.query('SET GLOBAL sql_select_limit = 1')
  await first.setReadOnly(true)
  await second.setReadOnly(false)
  await assertTakesWrites(open(t, [first, second]).knex)
  for (const { server } of [first, second]) await server.query('SET GLOBAL sql_select_limit = DEFAULT')
  t.deepEqual([await first.connections(), await second.connections()], [0, 1])
})

test.serial('a stopped database is unavailable, and used again when it is back', async (t) => {
  const [first] = await pair()
  const { accountImports } = open(t, [first]).ports
  await answer(accountImports.stage([stagingOf('A', '1')]))
  const inFlight = Array.from({ length: 8 }, async (_, worker) => {
    for (let round = 0; ; round += 1) {
      const result = await accountImports.stage([stagingOf(`${worker}-${round}`)])
      if (result._tag === 'Left') return result.left.kind
    }
  })
  await until(async () => (await first.imports()) > 8, 'all are on their way')
  await first.server.kill()
  t.deepEqual(await Promise.all(inFlight), Array<string>(8).fill('unavailable'))
  t.is((await failure(accountImports.find(keyOf('A')))).kind, 'unavailable')
  await first.server.restart()
  t.deepEqual(await answer(accountImports.stage([stagingOf('A', '2')])), [{ _tag: 'replaced', version: 2 }])
  t.is((await answer(accountImports.staged([keyOf('A')])))[0]?.payload, '2')
})

test.serial('a killed primary is replaced within 5 seconds', async (t) => {
  const [first, second] = await pair()
  const opened = open(t, [first, second])
  t.is(countFailed(await stageMany(opened, 8)), 0)
  await second.setReadOnly(false)
  await first.server.kill()
  const milliseconds = await untilStaged(t, opened)
  t.log(`after ${Math.round(milliseconds)} ms`)
  t.true(milliseconds < 5000)
  await first.server.restart()
})

test.serial('a hanging primary is replaced within 5 seconds, by work in progress too', async (t) => {
  const [first, second] = await pair()
  const opened = open(t, [first, second])
  t.is(countFailed(await stageMany(opened, 8)), 0)
  await second.setReadOnly(false)
  process.kill(first.server.pid, 'SIGSTOP')
  try {
    // The signal takes its time to reach every thread of the server.
    await delay(300)
    const begun = performance.now()
    const [onItsWay, milliseconds] = await Promise.all([stageMany(opened, 8), untilStaged(t, opened)])
    const waited = performance.now() - begun
    t.log(
      `another one after ${Math.round(milliseconds)} ms; the last of all answered after ${Math.round(waited)} ms`,
    )
    t.true(milliseconds < 5000 && waited < 5000)
    for (const result of onItsWay) if (result._tag === 'Left') t.is(result.left.kind, 'unavailable')
  } finally {
    process.kill(first.server.pid, 'SIGCONT')
  }
})

test.serial('long work on a responding server is awaited', async (t) => {
  const [first, second] = await pair()
  const { knex } = open(t, [first, second])
  const [rows] = await knex.raw('SELECT SLEEP(3) AS slept')
  t.deepEqual(rows, [{ slept: 0 }])
})

test.serial('work fails in time with the reason when no server accepts writes', async (t) => {
  const [first, second] = await pair()
  await first.setReadOnly(true)
  const begun = performance.now()
  const opened = open(t, [first, second])
  t.like((await failure(opened.ports.accountImports.find(keyOf('A')))).cause, { code: 'DATABASE_READ_ONLY' })
  const nobody = connectSql(
    `mysql://import:geheim@127.0.0.1:${await freePort()},127.0.0.1:${await freePort()}/x`,
  )
  t.teardown(() => nobody.destroy())
  const { kind, cause } = await failure(createSqlPorts(nobody).accountImports.find(keyOf('A')))
  t.is(kind, 'unavailable')
  t.notRegex(JSON.stringify(cause), /geheim/)
  t.true(performance.now() - begun < 3000)
})

const folder = mkdtempSync(join(tmpdir(), 'account-import-tls-'))
test.after.always('remove certificates', () => rmSync(folder, { recursive: true, force: true }))

const settingsOf = ({ certificate, key }: Certificates): readonly string[] => [
  `--ssl-cert=${certificate}`,
  `--ssl-key=${key}`,
]

/** Certificates of the address 127.0.0.1, of the name localhost, and of an unused name. */
let [ofAddress, ofName, ofStranger]: (Certificates | undefined)[] = []

/** The first of the two servers, when no other test needs it unchanged. */
const restarted = async (...settings: readonly string[]): Promise<void> => servers[0].server.restart(settings)

const reasons = [
  [/unable to verify the first certificate/, 'not trusted'],
  [/does not match certificate/, 'another name'],
] as const

/** `encrypted` or `plain`, or why neither. */
const reached = async (t: ExecutionContext, hosts: string, query: string): Promise<string> => {
  const knex = connectSql(`mysql://root@${hosts}/mysql${query}`)
  t.teardown(() => knex.destroy())
  try {
    const [[row]] = (await knex.raw("SHOW STATUS LIKE 'Ssl_cipher'")) as [[{ Value: string }]]
    return row.Value === '' ? 'plain' : 'encrypted'
  } catch (cause) {
    const { code, message } = cause as { code: string; message: string }
    return reasons.find(([words]) => words.test(message))?.[1] ?? code
  } finally {
    await knex.destroy()
  }
}

const here = (name: string): string => `${name}:${servers[0].server.port}`
const trusting = (certificates: Certificates | undefined): string => `?tls-ca=${certificates?.authority}`

test.serial('a configured CA is trusted, and its certificate is accepted for its own address', async (t) => {
  ofAddress = await makeCertificates(folder, 'address', 'IP:127.0.0.1')
  ofName = await makeCertificates(folder, 'name', 'DNS:localhost')
  ofStranger = await makeCertificates(folder, 'stranger', 'IP:127.0.0.1')
  await restarted(...settingsOf(ofAddress))
  t.is(await reached(t, here('127.0.0.1'), trusting(ofAddress)), 'encrypted')
})

test.serial('a certificate of another CA, or of no bundled one, is refused', async (t) => {
  t.is(await reached(t, here('127.0.0.1'), trusting(ofStranger)), 'not trusted')
  t.is(await reached(t, here('127.0.0.1'), '?tls=on'), 'not trusted')
})

test.serial('a certificate of another name or another address is refused', async (t) => {
  t.is(await reached(t, here('localhost'), trusting(ofAddress)), 'another name')
  t.is(await reached(t, here('0.0.0.0'), trusting(ofAddress)), 'another name')
})

test.serial('another machine gets TLS by default, and plain text only when that is configured', async (t) => {
  // An address outside loopback that Linux routes to this machine.
  t.is(await reached(t, here('0.0.0.0'), ''), 'not trusted')
  t.is(await reached(t, here('0.0.0.0'), '?tls=off'), 'plain')
  t.is(await reached(t, here('127.0.0.1'), ''), 'plain')
})

test.serial('a pool with several hosts reaches the available one by TLS too', async (t) => {
  const hosts = `127.0.0.1:${await freePort()},${here('127.0.0.1')}`
  t.is(await reached(t, hosts, trusting(ofAddress)), 'encrypted')
  t.is(await reached(t, hosts, trusting(ofStranger)), 'ECONNREFUSED', 'what the first of them says')
})

test.serial('a certificate of a name is accepted for the name, not for its address', async (t) => {
  await restarted(...settingsOf(ofName as Certificates))
  t.is(await reached(t, here('localhost'), trusting(ofName)), 'encrypted')
  t.is(await reached(t, here('127.0.0.1'), trusting(ofName)), 'another name')
})

test.serial('a server without TLS is refused when TLS is required', async (t) => {
  await restarted('--skip-ssl')
  t.is(await reached(t, here('127.0.0.1'), trusting(ofAddress)), 'HANDSHAKE_NO_SSL_SUPPORT')
  t.is(await reached(t, here('127.0.0.1'), ''), 'plain')
})
