import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import ava, { type ExecutionContext } from 'ava'
import { createConnection } from 'mysql2/promise'
import { connectSql, verify } from '@account-import/adapter-sql'
import { endpoints } from '@account-import/http-contract'
import { gasAccount } from '../support/samples.js'
import { rawApi } from '../journeys/support/raw-api.js'
import { tokenOf } from '../journeys/support/token-of.js'
import { mariaDbAvailable, postgresqlAvailable } from '../servers/index.js'
import { answer } from '../support/answers.js'
import { type BulkAnswer, openBulk, wholeAnswer } from '../support/bulk-exchange.js'
import { type DatabaseBackend, onBackend } from '../support/on-backend.js'
import { startServerProcess, type ServerProcess } from '../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../support/shared-database.js'
import { beginRequest, type WholeAnswer } from './support/begun-request.js'

// One after the other: each starts processes.
const test = ava.serial

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

/** A bulk request whose lines are sent one by one, until all are sent or it is stopped. */
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

/** Faults of the complete responses, apart from the data. */
const faultsOf = async (
  { stores, key }: SharedDatabase,
  answers: readonly (readonly [number: string, WholeAnswer])[],
): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const [number, answered] of answers) {
    const [staged] = await answer(stores.accountImports.staged([key(number)]))
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
    t.not((await answer(stores.accountImports.staged([key(numberOf(line))])))[0], undefined, `line ${line}`)
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

/** Locks imports against writes; returns a function that ends the lock. */
const holdWrites = async (url: string): Promise<() => Promise<void>> => {
  if (url.startsWith('mysql:')) {
    const holder = await createConnection(url)
    await holder.query('LOCK TABLES account_imports WRITE')
    return () => holder.end()
  }
  const knex = connectSql(url)
  // A transaction of SQLite has the one write lock from its beginning.
  const transaction = await knex.transaction()
  if (url.startsWith('postgres:')) await transaction.raw('LOCK TABLE account_imports IN EXCLUSIVE MODE')
  return async () => {
    await transaction.commit()
    await knex.destroy()
  }
}

const endsWell = (t: ExecutionContext, backend: DatabaseBackend): Promise<void> =>
  served(t, backend, async ({ url, database, address, token, stop }) => {
    await database.stage(toProcess)
    const bulk = await slowBulk(database.supplier, address, token, inBulk)
    const { creating, staging } = await beginAll(database, address, token)
    const letGo = await holdWrites(url)
    // Half of them wait for the database at the signal, half for the end of their bodies.
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
if (postgresqlAvailable()) test(`${title} (PostgreSQL)`, (t) => endsWell(t, 'postgresql'))

function* endless(): Generator<string> {
  for (let count = 1; ; count += 1) yield `E-${count}`
}

test('an endless bulk request is cut off in bounded time, and its accounts with a result exist', (t) =>
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
