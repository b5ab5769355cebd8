import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connectSql } from '@account-import/adapter-sql'
import type { Documents } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { inMemoryDocuments } from '@account-import/core/in-memory'
import { endpoints } from '@account-import/http-contract'
import { portIds, StartError } from '@account-import/server'
import test, { type ExecutionContext } from 'ava'
import { ContainerModule } from 'inversify'
import { hostileBodies } from '../faults/hostile/bodies/index.js'
import { rawApi } from '../journeys/support/raw-api.js'
import { tokenOf } from '../journeys/support/token-of.js'
import { until } from '../servers/index.js'
import { gasAccount } from '../support/samples.js'
import { setUp, type SetUp } from '../support/set-up.js'
import { tempFolder } from '../support/temp-folder.js'
import { readMetrics, valueOf } from './support/metrics.js'
import { ready } from './support/ready.js'
import { started, type Started } from './support/started.js'

/** A folder with mode 755. */
const openFolder = async (t: ExecutionContext): Promise<string> => {
  const folder = join(await tempFolder(t), 'data')
  await mkdir(folder)
  await chmod(folder, 0o755)
  return folder
}

const modesIn = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const names = ['.', ...(await readdir(folder))]
  const modes = names.map(async (name) => {
    const { mode } = await stat(join(folder, name))
    return [name, (mode & 0o777).toString(8)] as const
  })
  return Object.fromEntries(await Promise.all(modes))
}

const expected = {
  '.': '700',
  'account-import.sqlite': '600',
  'account-import.sqlite-shm': '600',
  'account-import.sqlite-wal': '600',
  'audit-key': '600',
  documents: '700',
  'token-signing-key': '600',
}

test('the data folder and its files belong to their owner alone, also when another program starts the service', async (t) => {
  const folder = await openFolder(t)
  await started(t, { DATA_DIR: folder })
  t.deepEqual(await modesIn(folder), expected)
})

test('access rights that an earlier run left open are removed', async (t) => {
  const folder = await openFolder(t)
  const key = join(folder, 'token-signing-key')
  await writeFile(key, Buffer.alloc(32, 7).toString('base64'), { mode: 0o644 })
  await writeFile(join(folder, 'account-import.sqlite'), '', { mode: 0o644 })
  await started(t, { DATA_DIR: folder })
  t.deepEqual(await modesIn(folder), expected)
})

test('an open folder with other files is refused unchanged, and a closed one is accepted', async (t) => {
  const folder = await openFolder(t)
  await writeFile(join(folder, 'of-somebody-else'), '', { mode: 0o644 })
  const refused = await t.throwsAsync(started(t, { DATA_DIR: folder }), { instanceOf: StartError })
  t.is(refused.code, 'data_folder_not_usable')
  t.regex(refused.message, /chmod 700/)
  t.deepEqual(await modesIn(folder), { '.': '755', 'of-somebody-else': '644' })
  await chmod(folder, 0o700)
  await started(t, { DATA_DIR: folder })
  t.deepEqual(await modesIn(folder), { ...expected, 'of-somebody-else': '644' })
})

/** Serves the embedded default with these documents. */
const serveWith = async (t: ExecutionContext, documents: Documents): Promise<string> => {
  const module = new ContainerModule(({ rebind }) => {
    rebind(portIds.documents).toConstantValue(documents)
  })
  return (await started(t, {}, { modules: [module] })).address
}

const ok = { state: 'ok' }

test.serial(
  'the embedded default is ready, and a missing document storage makes it degraded with one log entry',
  async (t) => {
    const dataDir = await tempFolder(t)
    const { address, entries } = await started(t, { DATA_DIR: dataDir, BASE_PATH: '/imports' })
    t.like(await ready(address), {
      status: 200,
      body: { status: 'ready', checks: { database: ok, migrations: ok, document_storage: ok } },
    })
    await rm(join(dataDir, 'documents'), { recursive: true })
    const degraded = { state: 'degraded', code: 'document_storage_unavailable' }
    for (const _ of [1, 2]) {
      await delay(1100)
      t.like(await ready(address), {
        status: 200,
        body: { status: 'degraded', checks: { database: ok, migrations: ok, document_storage: degraded } },
      })
    }
    await mkdir(join(dataDir, 'documents'))
    await until(async () => (await ready(address)).body['status'] === 'ready', 'the service is ready again')
    t.is((await fetch(`${address}/livez`)).status, 200)
    const changes = entries
      .filter(({ event }) => event === 'health')
      .map(({ component, state, code, reason, message }) => [component, state, code, reason, message])
    t.deepEqual(changes, [
      [
        'document_storage',
        'degraded',
        'document_storage_unavailable',
        'ENOENT',
        `the document folder ${join(dataDir, 'documents')} cannot be used (ENOENT)`,
      ],
      ['document_storage', 'ok', undefined, undefined, 'works again'],
    ])
    t.false(entries.some(({ event }) => event === 'request'))
  },
)

test.serial('probes share one result for about a second', async (t) => {
  let asked = 0
  const documents = { ...inMemoryDocuments(new Set()), ready: async () => E.right(void asked++) }
  const address = await serveWith(t, documents)
  const begun = performance.now()
  const answers = await Promise.all(Array.from({ length: 50 }, () => ready(address)))
  const seconds = Math.floor((performance.now() - begun) / 1000)
  t.true(answers.every(({ status }) => status === 200))
  const looks = asked
  t.true(looks >= 1 && looks <= 1 + seconds, `${looks} looks in ${seconds} seconds`)
  await delay(1100)
  await ready(address)
  t.is(asked, looks + 1)
})

test.serial('a hanging storage delays no response, and is not asked again meanwhile', async (t) => {
  let asked = 0
  let release: () => void = () => undefined
  const documents: Documents = {
    ...inMemoryDocuments(new Set()),
    ready: async () => {
      asked++
      return E.right(await new Promise<void>((resolve) => (release = resolve)))
    },
  }
  const address = await serveWith(t, documents)
  const late = { state: 'degraded', code: 'timed_out' }
  const begun = performance.now()
  const [first] = await Promise.all([ready(address), ready(address)])
  t.like(first, { status: 200, body: { status: 'degraded' } })
  t.deepEqual(first.checks['document_storage'], late)
  t.true(performance.now() - begun < 5000)
  for (let probes = 0; probes < 5; probes++) t.is((await ready(address)).body['status'], 'degraded')
  t.is(asked, 1)
  release()
  await delay(20)
  t.is((await ready(address)).body['status'], 'ready')
})

test.serial('a database that lacks a migration, or has other tables, is not ready', async (t) => {
  const dataDir = await tempFolder(t)
  const server = await started(t, { DATA_DIR: dataDir })
  const knex = connectSql(`sqlite:${join(dataDir, 'account-import.sqlite')}`)
  t.teardown(() => knex.destroy())
  const books = knex('account_import_migrations')
  const last = (await books.clone().orderBy('id', 'desc').first()) as Record<string, string>
  t.is((await ready(server.address)).status, 200)
  await books
    .clone()
    .where('id', last['id'] ?? '')
    .delete()
  await delay(1100)
  t.like(await ready(server.address), {
    status: 503,
    body: {
      status: 'not_ready',
      code: 'service_unavailable',
      checks: { database: ok, migrations: { state: 'failed', code: 'migrations_pending' } },
    },
  })
  await books.clone().insert(last)
  await delay(1100)
  t.is((await ready(server.address)).status, 200)
  await knex.raw('ALTER TABLE import_runs RENAME COLUMN label TO title')
  await delay(1100)
  t.like(await ready(server.address), {
    status: 503,
    body: { checks: { database: ok, migrations: { state: 'failed', code: 'database_of_unreleased_build' } } },
  })
})

type Served = Readonly<{
  server: Started
  set: SetUp
  send(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
}>

const served = async (t: ExecutionContext, more: Record<string, string> = {}): Promise<Served> => {
  const server = await started(t, more)
  const set = await setUp(server.useCases.operator)
  const token = await tokenOf(rawApi(server.address), set.apiKey)
  return {
    server,
    set,
    send: (path, body, headers = {}) =>
      fetch(server.address + path, {
        method: 'POST',
        headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}

/** Nothing is wrong with the account, but it is long. */
const padding = 'x'.repeat(300_000)

test.serial('a long body is processed with a database in memory, which no thread can share', async (t) => {
  const { set, send } = await served(t, { DATABASE_URL: 'sqlite::memory:' })
  const long = { ...gasAccount(set.supplier, 'A-1'), padding }
  t.is((await send(endpoints.stageAccount.path, long)).status, 201)
  t.is((await send(endpoints.stageAccount.path, gasAccount(set.supplier, 'A-1'))).status, 200)
})

test.serial('a long body is validated, staged and replayed as a short one is', async (t) => {
  const { server, set, send } = await served(t)
  const short = gasAccount(set.supplier, 'A-1')
  const long = { ...short, padding }
  const answers = [
    await send(endpoints.validateAccount.path, long),
    await send(endpoints.stageAccount.path, long),
  ]
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 201],
  )
  t.is(answers[0]?.headers.get('import-warnings'), '"padding";code="unknown_field"')
  const usual = (await (await send(endpoints.validateAccount.path, short)).json()) as object
  t.deepEqual(await answers[0]?.json(), usual)
  const keyed = { 'Idempotency-Key': 'k' }
  const first = await send(endpoints.stageAccount.path, long, keyed)
  t.is(first.status, 200)
  const again = await send(endpoints.stageAccount.path, long, keyed)
  t.is(again.headers.get('idempotency-replayed'), 'true')
  t.is(await again.text(), await first.text())
  const status = {
    import_supplier_code: set.supplier,
    external_account_number: 'A-1',
    operations_team_name: set.team,
  }
  t.is((await send(endpoints.processAccount.path, status)).status, 201)
  const series = await readMetrics(t, server.address)
  t.is(valueOf(series, 'account_import_accounts_total', { step: 'stage', outcome: 'replaced' }), 1)
})

test.serial('faults of a long body are refused and counted as those of a short one', async (t) => {
  const { server, set, send } = await served(t)
  const bodies: readonly (readonly [body: unknown, status: number, code: string])[] = [
    [`{"a":"${padding}"`, 400, 'parse_error'],
    [`${'['.repeat(33)}"${padding}"${']'.repeat(33)}`, 400, 'payload_too_deep'],
    [{ ...gasAccount(set.supplier, 'A-1'), billing_name: padding }, 400, 'account_failed_validation'],
    [{ ...gasAccount('NOBODY', 'A-1'), padding }, 400, 'account_failed_validation'],
  ]
  for (const [body, status, code] of bodies) {
    const answer = await send(endpoints.validateAccount.path, body)
    const { code: answered } = (await answer.json()) as { code: string }
    t.deepEqual([answer.status, answered], [status, code])
  }
  const series = await readMetrics(t, server.address)
  for (const code of ['parse_error', 'payload_too_deep', 'account_failed_validation'])
    t.true(valueOf(series, 'account_import_problems_total', { code }) > 0, code)
})

test.serial('a long line of a bulk request gets its result in order, and fails alone', async (t) => {
  const { server, set, send } = await served(t)
  const short = (number: string) => JSON.stringify(gasAccount(set.supplier, number))
  const long = (number: string, more: object = {}) =>
    JSON.stringify({ ...gasAccount(set.supplier, number), padding, ...more })
  const lines = [
    short('A-1'),
    long('A-1'),
    long('A-2', { billing_name: padding }),
    `{"a":"${padding}`,
    short('A-2'),
    long('A-3'),
  ]
  const answer = await send(endpoints.bulkStage.path, lines.join('\n'), {
    'Content-Type': 'application/x-ndjson',
  })
  const results = (await answer.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  t.deepEqual(
    results.map(({ line, status, external_account_number: number, warnings }) => [
      line,
      status,
      number,
      warnings,
    ]),
    [
      [1, 201, 'A-1', undefined],
      [2, 200, 'A-1', 1],
      [3, 400, 'A-2', 1],
      [4, 400, undefined, undefined],
      [5, 201, 'A-2', undefined],
      [6, 201, 'A-3', 1],
      [undefined, undefined, undefined, undefined],
    ],
  )
  t.deepEqual(results.at(-1), { summary: { received: 6, created: 3, updated: 1, failed: 2 } })
  const series = await readMetrics(t, server.address)
  t.true(valueOf(series, 'account_import_problems_total', { code: 'parse_error' }) > 0)
})

test.serial('other requests get responses while a body of 5 MiB is parsed and validated', async (t) => {
  const { server, send } = await served(t)
  const worst = hostileBodies['numbered keys in no order']?.() ?? ''
  t.true(worst.length > 5_000_000)
  // The thread is started for the first one.
  await (await send(endpoints.validateAccount.path, { padding })).arrayBuffer()
  let isAnswered = false
  const answering = send(endpoints.validateAccount.path, worst).finally(() => {
    isAnswered = true
  })
  let meanwhile = 0
  for (; !isAnswered; meanwhile += 1) await (await fetch(`${server.address}/livez`)).arrayBuffer()
  t.is((await answering).status, 400)
  // Were it parsed here, there would be one answer after the other work, and none between.
  t.true(meanwhile > 2, `${meanwhile} answers`)
})
