import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ContainerModule } from 'inversify'
import test, { type ExecutionContext } from 'ava'
import { connectSql } from '@account-import/adapter-sql'
import type { Documents } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import { inMemoryDocuments } from '@account-import/core/in-memory'
import { portIds, readConfig, startServer, type ServerConfig } from '@account-import/server'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'

const configIn = (dataDir: string): ServerConfig => {
  const read = readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' }, 'serve')
  if (read._tag === 'Left') throw new Error(read.left.map(({ detail }) => detail).join())
  return read.right
}

/** Serves the embedded default with such documents. */
const serveWith = async (t: ExecutionContext, documents: Documents): Promise<string> => {
  const module = new ContainerModule(({ rebind }) => {
    rebind(portIds.documents).toConstantValue(documents)
  })
  const server = await startServer(configIn(await tempFolder(t)), { modules: [module] })
  t.teardown(() => server.stop())
  return server.address
}

type Probe = Readonly<{ status: number; body: { status: string; checks: unknown } }>

const probe = async (address: string): Promise<Probe> => {
  const answer = await fetch(`${address}/readyz`)
  return { status: answer.status, body: (await answer.json()) as Probe['body'] }
}

const ok = { state: 'ok' }

test('the served embedded default is ready; a document storage that is gone makes it degraded, and is logged once', async (t) => {
  const dataDir = await tempFolder(t)
  const served = await serveProcess(t, { DATA_DIR: dataDir, BASE_PATH: '/imports' })
  const { child, ended } = served
  const address = new URL(served.address).origin
  t.deepEqual(await probe(address), {
    status: 200,
    body: { status: 'ready', checks: { database: ok, migrations: ok, document_storage: ok } },
  })
  await rm(join(dataDir, 'documents'), { recursive: true })
  const degraded = { state: 'degraded', code: 'document_storage_unavailable' }
  for (const _ of [1, 2]) {
    await delay(1100)
    t.deepEqual(await probe(address), {
      status: 200,
      body: { status: 'degraded', checks: { database: ok, migrations: ok, document_storage: degraded } },
    })
  }
  await mkdir(join(dataDir, 'documents'))
  await delay(1100)
  t.is((await probe(address)).body.status, 'ready')
  t.is((await fetch(`${address}/livez`)).status, 200)
  child.kill('SIGTERM')
  const { stderr } = await ended
  const changes = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
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
  t.notRegex(stderr, /"event":"request"/)
})

test('probes share what one look found for about a second', async (t) => {
  let asked = 0
  const documents = { ...inMemoryDocuments(new Set()), ready: () => TE.fromIO(() => void asked++) }
  const address = await serveWith(t, documents)
  const begun = performance.now()
  const answers = await Promise.all(Array.from({ length: 50 }, () => probe(address)))
  const seconds = Math.floor((performance.now() - begun) / 1000)
  t.true(answers.every(({ status }) => status === 200))
  const looks = asked
  t.true(looks >= 1 && looks <= 1 + seconds, `${looks} looks in ${seconds} seconds`)
  await delay(1100)
  await probe(address)
  t.is(asked, looks + 1)
})

test('a storage that hangs does not hold up the answer, and is not asked again meanwhile', async (t) => {
  let asked = 0
  let release: () => void = () => undefined
  const documents: Documents = {
    ...inMemoryDocuments(new Set()),
    ready: () => {
      asked++
      return TE.fromTask(() => new Promise<void>((resolve) => (release = resolve)))
    },
  }
  const address = await serveWith(t, documents)
  const late = { state: 'degraded', code: 'timed_out' }
  const begun = performance.now()
  const [first] = await Promise.all([probe(address), probe(address)])
  t.like(first, { status: 200, body: { status: 'degraded' } })
  t.deepEqual((first.body.checks as Record<string, unknown>)['document_storage'], late)
  t.true(performance.now() - begun < 3000)
  for (let probes = 0; probes < 5; probes++) t.is((await probe(address)).body.status, 'degraded')
  t.is(asked, 1)
  release()
  await delay(20)
  t.is((await probe(address)).body.status, 'ready')
})

test('a database that lacks a migration is not ready until it has it', async (t) => {
  const dataDir = await tempFolder(t)
  const config = configIn(dataDir)
  const server = await startServer(config)
  t.teardown(() => server.stop())
  const knex = connectSql(config.database.url)
  t.teardown(() => knex.destroy())
  const books = knex('account_import_migrations')
  const last = (await books.clone().orderBy('id', 'desc').first()) as Record<string, string>
  t.is((await probe(server.address)).status, 200)
  await books
    .clone()
    .where('id', last['id'] ?? '')
    .delete()
  await delay(1100)
  t.like(await probe(server.address), {
    status: 503,
    body: {
      status: 'not_ready',
      code: 'service_unavailable',
      checks: { database: ok, migrations: { state: 'failed', code: 'migrations_pending' } },
    },
  })
  await books.clone().insert(last)
  await delay(1100)
  t.is((await probe(server.address)).status, 200)
})
