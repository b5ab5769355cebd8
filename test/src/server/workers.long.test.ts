import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import ava, { type ExecutionContext } from 'ava'
import { createClient } from '@account-import/client'
import { connectSql, verify } from '@account-import/adapter-sql'
import { endpoints } from '@account-import/http-contract'
import { cli, type CliEnvironment, type CliProcess } from '../support/cli-process.js'
import { freePort } from '../servers/free-port.js'
import { listen } from '../support/http-server.js'
import { gasAccount } from '../support/samples.js'
import { serveProcess, type ServeProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { readMetrics, valueOf } from './support/metrics.js'
import { rawApi } from '../journeys/support/raw-api.js'
import { tokenOf } from '../journeys/support/token-of.js'
import { mariaDbAvailable } from '../servers/index.js'
import { answer } from '../support/answers.js'
import { type BulkAnswer, openBulk, wholeAnswer } from '../support/bulk-exchange.js'
import { type DatabaseBackend, onBackend } from '../support/on-backend.js'
import { once as happening } from '../support/once.js'
import { startServerProcess, type ServerProcess } from '../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../support/shared-database.js'
import { beginLogin, beginRequest, type WholeAnswer } from './support/begun-request.js'

// One after the other: each starts processes.
const test = ava.serial

type Entry = Readonly<{ event: string; worker?: number; pid?: number; [more: string]: unknown }>

/** The log of a server with workers, while it runs. */
type WorkerLog = Readonly<{
  entries(): readonly Entry[]
  /** Waits until some entries are as wanted, and gives them. */
  until(wanted: (entry: Entry) => boolean, count: number): Promise<readonly Entry[]>
}>

const workerLog = ({ stderr }: CliProcess): WorkerLog => {
  let text = ''
  stderr.on('data', (chunk: string) => {
    text += chunk
  })
  const entries = (): readonly Entry[] =>
    text
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Entry)
  return {
    entries,
    until: async (wanted, count) => {
      for (let found: readonly Entry[] = []; ;) {
        found = entries().filter(wanted)
        if (found.length >= count) return found
        await delay(50)
      }
    },
  }
}

type ByWorkers = ServeProcess & Readonly<{ log: WorkerLog; pids: readonly number[] }>

/** A server with two workers, and its log. */
const servedByWorkers = async (
  t: ExecutionContext,
  environment: CliEnvironment = {},
  args: readonly string[] = [],
): Promise<ByWorkers> => {
  const dataDir = await tempFolder(t)
  const server = await serveProcess(t, { DATA_DIR: dataDir, ...environment }, ['--workers', '2', ...args])
  const log = workerLog(server.child)
  // Text that was written before it was announced may have been read already.
  await fetch(server.address)
  await fetch(server.address)
  const requests = await log.until(({ event }) => event === 'request', 2)
  return { ...server, log, pids: requests.map(({ pid }) => pid ?? 0) }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const untilGone = async (pids: readonly number[]): Promise<void> => {
  while (pids.some(isAlive)) await delay(50)
}

test('requests are answered by several processes, counted together, and SIGTERM ends all of them with 0', async (t) => {
  const { child, address, ended, log, pids } = await servedByWorkers(t)
  t.is(new Set(pids).size, 2)
  t.false(pids.includes(child.pid ?? 0))
  for (let nth = 0; nth < 6; nth += 1)
    await (await fetch(`${address}/v1/data-import/validate-account/`, { method: 'POST' })).text()
  await log.until(({ status }) => status === 401, 6)
  const series = await readMetrics(t, address)
  t.is(valueOf(series, 'account_import_requests_total', { status: '401' }), 6)
  t.is(valueOf(series, 'account_import_workers'), 2)
  t.is(valueOf(series, 'account_import_outbox_emails'), 0)
  child.kill('SIGTERM')
  t.is((await ended).code, 0)
  t.false(pids.some(isAlive))
  const stopped = log.entries().filter(({ event }) => event === 'stopped')
  t.deepEqual(stopped.map(({ worker }) => worker).toSorted(), [1, 2])
})

test('a worker that is killed is started again; others go on, and no count falls', async (t) => {
  const port = await freePort()
  const metrics = `http://127.0.0.1:${port}`
  const { address, log, pids } = await servedByWorkers(t, { METRICS_PORT: String(port) })
  const count = async () => valueOf(await readMetrics(t, metrics), 'account_import_requests_total')
  const before = await count()
  process.kill(pids[0] ?? 0, 'SIGKILL')
  await log.until(({ event }) => event === 'worker_ended', 1)
  for (let nth = 0; nth < 4; nth += 1) t.is((await fetch(`${address}/livez`)).status, 200)
  await log.until(({ event, pid }) => event === 'started' && !pids.includes(pid ?? 0), 1)
  t.true((await count()) >= before)
  const fresh = await readMetrics(t, metrics)
  t.is(valueOf(fresh, 'account_import_workers'), 2)
  t.is(valueOf(fresh, 'account_import_worker_ends_total'), 1)
})

test('on SIGTERM a worker finishes its running request', async (t) => {
  const { child, address, ended, log } = await servedByWorkers(t)
  const request = await beginLogin(address)
  child.kill('SIGTERM')
  await log.until(({ event }) => event === 'stopping', 2)
  request.finish()
  t.like(await request.answered, { status: 200 })
  t.is((await ended).code, 0)
})

test('workers that are killed again and again end the whole service with 3 and a reason', async (t) => {
  const { ended, log, pids } = await servedByWorkers(t)
  let over = false
  void ended.then(() => {
    over = true
  })
  const killed = new Set(pids)
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  while (!over) {
    for (const { event, pid = 0 } of log.entries())
      if (event === 'started' && pid > 0 && !killed.has(pid)) {
        killed.add(pid)
        if (isAlive(pid)) process.kill(pid, 'SIGKILL')
      }
    await delay(50)
  }
  const { code, stderr } = await ended
  t.is(code, 3)
  t.regex(stderr, /^Worker processes ended by themselves more than 5 times in a minute/m)
})

test('when the parent is killed no worker is left', async (t) => {
  const { child, pids } = await servedByWorkers(t)
  child.kill('SIGKILL')
  await untilGone(pids)
  t.pass()
})

test('a port that is in use is said once, and ends with 3', async (t) => {
  const port = await listen(t, () => undefined)
  for (const [variable, other] of [
    ['PORT', 'METRICS_PORT'],
    ['METRICS_PORT', 'PORT'],
  ] as const) {
    const environment = { [variable]: String(port), [other]: '0', DATA_DIR: await tempFolder(t) }
    const { code, stdout, stderr } = await cli(['serve', '--workers', '2'], environment)
    t.is(code, 3)
    t.is(stdout, '')
    const said = stderr.split('\n').filter((line) => line.startsWith('Cannot listen on'))
    t.is(said.length, 1, stderr)
    t.regex(said[0] ?? '', new RegExp(`set ${variable} to a free port`))
  }
})

test('a wrong configuration, or a wrong number of workers, is said once and ends with 2', async (t) => {
  const wrong = await cli(['serve', '--workers', '2'], { PORT: 'x' })
  t.is(wrong.code, 2)
  t.is(wrong.stderr.match(/PORT must/g)?.length, 1)
  for (const count of ['0', '65', 'two']) {
    const { code, stderr } = await cli(['serve', '--workers', count], { DATA_DIR: await tempFolder(t) })
    t.is(code, 2)
    t.regex(stderr, /whole number from 1 to 64/)
  }
})

test('the demo is made once, and all workers take its tokens', async (t) => {
  const { address, announced } = await servedByWorkers(t, {}, ['--demo'])
  const { api_key: apiKey, import_supplier: supplier } = announced['demo'] as Record<string, string>
  const client = createClient({ baseUrl: address, apiKey: String(apiKey) })
  for (let nth = 0; nth < 6; nth += 1) {
    const staged = await client.stageAccount(gasAccount(String(supplier), `A-${nth}`))
    t.true(staged.ok)
  }
})

const numbersOf = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
const toProcess = numbersOf('P', 50)
const toStage = numbersOf('S', 50)
const inBulk = numbersOf('B', 150)

/** Fifty accounts to be created and fifty to be staged: the server has begun with each. */
const beginAll = async ({ supplier, team }: SharedDatabase, address: string, token: string) => {
  const process = { import_supplier_code: supplier, operations_team_name: team }
  const creating = toProcess.map((external_account_number) =>
    beginRequest(address + endpoints.processAccount.path, token, { ...process, external_account_number }),
  )
  const staging = toStage.map((number) =>
    beginRequest(address + endpoints.stageAccount.path, token, gasAccount(supplier, number)),
  )
  return { creating: await Promise.all(creating), staging: await Promise.all(staging) }
}

/** A bulk request whose lines come one by one, until all are sent or it is stopped. */
const slowBulk = async (supplier: string, baseUrl: string, token: string, lines: Iterable<string>) => {
  const { sending, answer: answering } = openBulk('bulkStage', { baseUrl, token })
  sending.on('error', () => undefined)
  const write = async (): Promise<void> => {
    for (const number of lines) {
      if (sending.destroyed) return
      sending.write(`${JSON.stringify(gasAccount(supplier, number))}\n`)
      await delay(15)
    }
    sending.end()
  }
  void write()
  const response = await answering
  await once(response, 'readable')
  return { answered: wholeAnswer(response), stop: () => sending.destroy() }
}

/** Faults of the whole answers, beside the data. */
const faultsOf = async (
  { stores, key }: SharedDatabase,
  answers: readonly (readonly [number: string, WholeAnswer])[],
): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const [number, answered] of answers) {
    const staged = await answer(stores.accountImports.staged(key(number)))
    const account = await answer(stores.accounts.find(key(number)))
    const told = answered?.body as Readonly<{ platform_account_number?: string }> | undefined
    if (answered?.status !== 201) faults.push(`${number}: was answered ${answered?.status ?? 'nothing'}`)
    else if (number.startsWith('S') && staged === undefined) faults.push(`${number}: is not staged`)
    else if (number.startsWith('P') && account?.platformAccountNumber !== told?.platform_account_number)
      faults.push(`${number}: is not there as it was told`)
  }
  return faults
}

const checkBulk = async (
  t: ExecutionContext,
  { stores, key }: SharedDatabase,
  { results }: BulkAnswer,
  numberOf: (line: number) => string,
): Promise<void> => {
  for (const { line, status } of results) {
    t.is(status, 201)
    t.not(await answer(stores.accountImports.staged(key(numberOf(line)))), undefined, `line ${line}`)
  }
}

type Served = Readonly<{
  url: string
  database: SharedDatabase
  address: string
  token: string
  stop: ServerProcess['stop']
}>

/** A server on a database, and a token for it; all of them end with the work. */
const served = (t: ExecutionContext, backend: DatabaseBackend, work: (server: Served) => Promise<void>) =>
  onBackend[backend](async (url) => {
    const database = await openSharedDatabase(url)
    const { address, stop, kill } = await startServerProcess(database.environment)
    try {
      const token = await tokenOf(rawApi(address), database.apiKey)
      await work({ url, database, address, token, stop })
      for await (const each of verify(database.knex)) t.fail(each.kind)
    } finally {
      await kill()
      await database.close()
    }
  })

/** Keeps everybody from writing imports; gives what lets them go on. */
const holdWrites = async (url: string): Promise<() => Promise<void>> => {
  const knex = connectSql(url)
  const isMysql = url.startsWith('mysql:')
  const letGo = happening()
  let end: Promise<unknown> = Promise.resolve()
  await new Promise<void>((held, failed) => {
    // On SQLite a transaction has the one write lock from its beginning.
    end = knex
      .transaction(async (trx) => {
        if (isMysql) await trx.raw('LOCK TABLES account_imports WRITE')
        held()
        await letGo.happened
        if (isMysql) await trx.raw('UNLOCK TABLES')
      })
      .catch(failed)
  })
  return async () => {
    letGo.happen()
    await end
    await knex.destroy()
  }
}

const endsWell = (t: ExecutionContext, backend: DatabaseBackend): Promise<void> =>
  served(t, backend, async ({ url, database, address, token, stop }) => {
    await database.stage(toProcess)
    const bulk = await slowBulk(database.supplier, address, token, inBulk)
    const { creating, staging } = await beginAll(database, address, token)
    const letGo = await holdWrites(url)
    // Half of them wait for the database when the signal comes, half for the end of their bodies.
    for (const each of creating) each.finish()
    const since = Date.now()
    const ended = stop()
    await delay(300)
    for (const each of staging) each.finish()
    await letGo()
    const answers = await Promise.all([...creating, ...staging].map(({ answered }) => answered))
    t.is(await ended, 0)
    t.log(`ended after ${Date.now() - since} ms`)
    t.true(Date.now() - since < 20_000)
    const sent = [...toProcess, ...toStage].map((number, index) => [number, answers[index]] as const)
    t.deepEqual(await faultsOf(database, sent), [])
    const whole = await bulk.answered
    t.is(whole.results.length, inBulk.length)
    t.not(whole.summary, undefined)
    await checkBulk(t, database, whole, (line) => inBulk[line - 1] ?? '')
  })

const title =
  'SIGTERM with 100 requests and a bulk request in flight: all are answered whole, and the end is 0'
test(`${title} (SQLite)`, (t) => endsWell(t, 'sqlite'))
if (mariaDbAvailable()) test(`${title} (MariaDB)`, (t) => endsWell(t, 'mariadb'))

function* endless(): Generator<string> {
  for (let count = 1; ; count += 1) yield `E-${count}`
}

test('a bulk request without end is cut off in bounded time, and what it was answered is there', (t) =>
  served(t, 'sqlite', async ({ database, address, token, stop }) => {
    const bulk = await slowBulk(database.supplier, address, token, endless())
    await delay(300)
    const since = Date.now()
    t.is(await stop(), 0)
    t.true(Date.now() - since < 20_000, `ended after ${Date.now() - since} ms`)
    bulk.stop()
    const whole = await bulk.answered
    t.is(whole.summary, undefined)
    t.true(whole.results.length > 0)
    await checkBulk(t, database, whole, (line) => `E-${line}`)
  }))
