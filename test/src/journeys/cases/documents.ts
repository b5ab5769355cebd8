import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Client } from 'minio'
import type { ExecutionContext } from 'ava'
import { folderDocuments, minioDocuments } from '@account-import/adapter-object-storage'
import type { Documents, SupplierSettings } from '@account-import/core'
import { startS3Server } from '../../support/s3-server.js'
import { tempFolder } from '../../support/temp-folder.js'
import { answer } from '../../support/answers.js'
import type { Journey } from '../support/journey.js'
import { failureOf, successOf } from '../../support/results.js'
import { gasAccount } from '../../support/samples.js'
import { tokenOf } from '../support/token-of.js'
import type { World } from '../support/world.js'

const code = 'path_does_not_exist_in_file_store'

const attrs = [
  'notes.1.document_paths.0.document_path',
  'statements.0.statement_path',
  'statements.1.statement_path',
]

/** The documents that the gas sample names, in the order of `attrs`. */
const paths = [
  'notes/LEV-G-000123/contrato.pdf',
  'statements/LEV-G-000123/2025-02.pdf',
  'statements/LEV-G-000123/2025-03.pdf',
]

/** A store of documents that can be filled, and taken away for the rest of the test. */
type Store = Readonly<{
  documents: Documents
  place(key: string): Promise<void>
  takeAway(): Promise<void>
}>

const folderStore = async (t: ExecutionContext): Promise<Store> => {
  const folder = join(await tempFolder(t), 'documents')
  await mkdir(folder)
  return {
    documents: folderDocuments(folder),
    place: async (key) => {
      await mkdir(dirname(join(folder, key)), { recursive: true })
      await writeFile(join(folder, key), '%PDF-1.7')
    },
    takeAway: () => rm(folder, { recursive: true }),
  }
}

const bucketStore = async (t: ExecutionContext): Promise<Store> => {
  const server = await startS3Server()
  let running = true
  const stop = async (): Promise<void> => {
    if (running) await server.stop()
    running = false
  }
  t.teardown(stop)
  const { bucket, ...connection } = server.options
  const client = new Client({ ...connection, region: 'us-east-1' })
  return {
    documents: minioDocuments(server.options),
    place: async (key) => {
      await client.putObject(bucket, key, '%PDF-1.7')
    },
    takeAway: stop,
  }
}

/** All worlds share their stores, and no two organisations share a root. */
const rootOf = (supplier: string): string => `${supplier}/2025`

const check = ({ operator, supplier }: World, severity: 'error' | 'warn' | 'off') =>
  answer(
    operator.configureSupplier({
      code: supplier,
      change: (settings): SupplierSettings => ({
        ...settings,
        documentRoot: rootOf(supplier),
        severities: { [code]: severity },
      }),
    }),
  )

type Entry = Readonly<{ attr: string; code: string }>
const inShort = (entries: readonly Entry[]) => entries.map((entry) => `${entry.attr} ${entry.code}`)
const missing = (...which: readonly number[]) => which.map((index) => `${attrs[index]} ${code}`)

const whileItAnswers = async (t: ExecutionContext, world: World, store: Store): Promise<void> => {
  const { client, supplier } = world
  const account = gasAccount(supplier, 'A-1')
  t.is(successOf(await client.validateAccount(account)).warningsTotal, 0)
  await check(world, 'warn')
  t.deepEqual(inShort(successOf(await client.validateAccount(account)).warnings), missing(0, 1, 2))
  await store.place(`${rootOf(supplier)}/${paths[0]}`)
  await store.place(`${paths[1]}`)
  t.deepEqual(inShort(successOf(await client.stageAccount(account)).warnings), missing(1, 2))
  await check(world, 'error')
  for (const result of [await client.validateAccount(account), await client.stageAccount(account)]) {
    const { status, problem } = failureOf(result)
    t.deepEqual(
      [status, problem.code, inShort(problem.errors)],
      [400, 'account_failed_validation', missing(1, 2)],
    )
  }
  for (const path of paths) await store.place(`${rootOf(supplier)}/${path}`)
  t.is((await client.stageAccount(account)).status, 200)
}

const whileItDoesNot = async (t: ExecutionContext, world: World, store: Store): Promise<void> => {
  const { client, raw, apiKey, supplier, process } = world
  const account = gasAccount(supplier, 'A-1')
  await store.takeAway()
  const token = await tokenOf(raw, apiKey)
  for (const path of ['validate-account/', 'account-import-process/create-or-update/']) {
    const { status, headers, text } = await raw.post(`/v1/data-import/${path}`, token, account)
    t.deepEqual([status, (JSON.parse(text) as { code: string }).code], [503, 'service_unavailable'])
    t.regex(headers['retry-after'] ?? '', /^[1-9]\d*$/)
  }
  await check(world, 'warn')
  const { warnings, warningsTotal } = successOf(await client.stageAccount(account))
  t.deepEqual([inShort(warnings), warningsTotal], [[' document_check_not_possible'], 1])
  await check(world, 'error')
  t.is((await process('A-1')).status, 201)
}

const stores = { 'in a folder': folderStore, 'on an S3 server': bucketStore }

/** The check of documents over HTTP, on real stores. */
export const documentJourneys: readonly Journey[] = Object.entries(stores).map(([name, open]) => ({
  title: `documents ${name}: missing ones are warnings or errors, and a store that is gone is told apart from them`,
  run: async (t, openWorld) => {
    const store = await open(t)
    const world = await openWorld({ ports: { documents: store.documents } })
    await whileItAnswers(t, world, store)
    await whileItDoesNot(t, world, store)
  },
}))
