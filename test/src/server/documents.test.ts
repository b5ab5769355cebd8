import { spawn } from 'node:child_process'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { connectSql, createSqlPorts } from '@account-import/adapter-sql'
import { createClient, type Client } from '@account-import/client'
import { builtInSettings } from '@account-import/core'
import { createContainer, portIds, startServer } from '@account-import/server'
import test, { type ExecutionContext } from 'ava'
import { answer } from '../support/answers.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { bin, outcomeOf, type CliEnvironment } from '../support/cli-process.js'
import { listen } from '../support/http-server.js'
import { successOf } from '../support/results.js'
import { startS3Server } from '../support/s3-server.js'
import { gasAccount } from '../support/samples.js'
import { openSharedDatabase, type SharedDatabase } from '../support/shared-database.js'
import { tempFolder } from '../support/temp-folder.js'
import { shell, type Shell } from './support/shell.js'
import { configOf, started } from './support/started.js'

const warningsOf = async (client: Client): Promise<readonly string[]> =>
  successOf(await client.validateAccount(gasAccount('S1', 'A-1'))).warnings.map(
    ({ attr, code }) => `${attr} ${code}`,
  )

test('the server reads the folder of the embedded default, and logs without its path when it cannot', async (t) => {
  const dataDir = await tempFolder(t)
  const { json } = await shell(t, { DATA_DIR: dataDir })
  await json('organisation create ACME')
  await json('supplier create S1 --organisation ACME')
  const { api_key } = await json('api-key create --organisation ACME')
  const { address, entries } = await started(t, { DATA_DIR: dataDir })
  const client = createClient({ baseUrl: address, apiKey: String(api_key) })
  t.deepEqual(await warningsOf(client), [])

  await json('supplier configure S1 --check-documents warn --document-root secret-root')
  const documents = join(dataDir, 'documents')
  t.is((await stat(documents)).mode & 0o077, 0)
  const missing = 'path_does_not_exist_in_file_store'
  t.is((await warningsOf(client)).filter((entry) => entry.endsWith(missing)).length, 3)
  await mkdir(join(documents, 'secret-root/statements/LEV-G-000123'), { recursive: true })
  for (const month of ['02', '03'])
    await writeFile(join(documents, `secret-root/statements/LEV-G-000123/2025-${month}.pdf`), '%PDF')
  t.deepEqual(await warningsOf(client), [`notes.1.document_paths.0.document_path ${missing}`])

  await rm(documents, { recursive: true })
  t.deepEqual(await warningsOf(client), [' document_check_not_possible'])
  t.like(
    entries.find(({ event }) => event === 'document_storage'),
    { level: 40, kind: 'unavailable', code: 'ENOENT' },
  )
  t.notRegex(JSON.stringify(entries), /secret-root|contrato/)
})

/** The documents that the server looks into by this address. */
const documentsOf = (storage: string) =>
  createContainer(configOf({ DATA_DIR: 'unused', DOCUMENT_STORAGE_URL: storage }), undefined).get(
    portIds.documents,
  )

test('the server reaches a bucket as DOCUMENT_STORAGE_URL says', async (t) => {
  const { options, stop } = await startS3Server()
  t.teardown(stop)
  const { accessKey, secretKey, port, bucket } = options
  const url = (secret: string, name = bucket) => `s3+http://${accessKey}:${secret}@127.0.0.1:${port}/${name}`
  const existing = (storage: string) => documentsOf(storage).existing(['a.pdf'], 'LLUM')
  t.deepEqual(await existing(url(secretKey)), { _tag: 'Right', right: new Set() })
  t.like(await existing(url('wrong')), { _tag: 'Left', left: { kind: 'unexpected' } })
  t.like(await existing(url(secretKey, 'another')), {
    _tag: 'Left',
    left: { cause: { code: 'NoSuchBucket' } },
  })
})

test('requests are signed for the region in DOCUMENT_STORAGE_URL, and the address has no key or secret', async (t) => {
  const asked: { url: string; authorization: string }[] = []
  const port = await listen(t, ({ url = '', headers }, response) => {
    asked.push({ url, authorization: headers.authorization ?? '' })
    response.end()
  })
  const storage = `s3+http://some-key:some-secret@127.0.0.1:${port}/documents`
  for (const query of ['', '?region=eu-west-1'])
    await documentsOf(storage + query).existing(['levante/a b+c.pdf'], 'LLUM')
  t.deepEqual(
    asked.map(({ url, authorization }) => [url, /Credential=[^/]+\/\d+\/([^/]+)/.exec(authorization)?.[1]]),
    [
      ['/documents/levante/a%20b%2Bc.pdf', 'us-east-1'],
      ['/documents/levante/a%20b%2Bc.pdf', 'eu-west-1'],
    ],
  )
})

test('the server remembers found documents, not missing ones', async (t) => {
  const stored = new Set(['/documents/there.pdf'])
  const asked: string[] = []
  const port = await listen(t, ({ url = '' }, response) => {
    asked.push(url)
    response.writeHead(stored.has(url) || url.endsWith('documents') || url.endsWith('/') ? 200 : 404).end()
  })
  const documents = documentsOf(`s3+http://key:secret@127.0.0.1:${port}/documents`)
  for (const _ of [1, 2])
    t.deepEqual(await documents.existing(['there.pdf', 'missing.pdf'], 'LLUM'), {
      _tag: 'Right',
      right: new Set(['there.pdf']),
    })
  t.is(asked.filter((url) => url === '/documents/there.pdf').length, 1)
  t.is(asked.filter((url) => url === '/documents/missing.pdf').length, 2)
})

test('a host that no storage can have is refused at the start, without the secret', async (t) => {
  const config = configOf({
    DATA_DIR: await tempFolder(t),
    DOCUMENT_STORAGE_URL: 's3+http://key:canary-secret@-host:9000/documents?tls=off',
  })
  const error = await t.throwsAsync(startServer(config))
  t.like(error, { name: 'StartError', code: 'document_storage_not_usable' })
  t.notRegex(String(error), /canary/)
})

const paths = [
  'notes/LEV-G-000123/contrato.pdf',
  'statements/LEV-G-000123/2025-02.pdf',
  'statements/LEV-G-000123/2025-03.pdf',
]

type World = Readonly<{ database: SharedDatabase; environment: CliEnvironment; documents: string }>

/** A database with this number of staged gas samples, which name three documents each, and an empty folder for documents. */
const worldOf = async (t: ExecutionContext, numbers: readonly string[]): Promise<World> => {
  const folder = await tempFolder(t)
  const database = await openSharedDatabase(`sqlite:${join(folder, 'test.db')}`)
  t.teardown(() => database.close())
  for (let begin = 0; begin < numbers.length; begin += 500)
    await database.stage(numbers.slice(begin, begin + 500))
  const documents = join(folder, 'documents')
  await mkdir(documents)
  const environment = { ...database.environment, DOCUMENT_STORAGE_URL: `file:${documents}` }
  return { database, environment, documents }
}

/** Puts a document below the root of the supplier. */
const place = async ({ documents, database }: World, path: string): Promise<void> => {
  const file = join(documents, database.organisation, database.supplier, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, '%PDF')
}

test('documents missing prints lines of account number and path, and exits with 1 when there are any', async (t) => {
  const world = await worldOf(t, ['B', 'A\t1'])
  const { database, environment } = world
  const run = (...more: readonly string[]) =>
    cliInProcess(['documents', 'missing', database.supplier, ...more], environment)
  await place(world, paths[1] ?? '')
  const [note, , march] = paths
  t.deepEqual(await run(), {
    code: 1,
    stdout: [`A\\t1\t${note}`, `A\\t1\t${march}`, `B\t${note}`, `B\t${march}`, ''].join('\n'),
    stderr: '4 of 6 documents of 2 accounts missing.\n',
  })
  const item = (external_account_number: string, path: string | undefined) => ({
    external_account_number,
    platform_account_number: null,
    path,
  })
  const missing = [item('A\t1', note), item('A\t1', march), item('B', note), item('B', march)]
  const ndjson = await run('--ndjson')
  t.is(ndjson.code, 1)
  t.deepEqual(
    ndjson.stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
    missing,
  )
  const json = await run('--json')
  t.is(json.code, 1)
  t.deepEqual(JSON.parse(json.stdout), { missing, accounts: 2, references: 6 })

  for (const path of paths) await place(world, path)
  t.deepEqual(await run(), {
    code: 0,
    stdout: '',
    stderr: 'None of 6 documents of 2 accounts is missing.\n',
  })
  t.deepEqual(JSON.parse((await run('--json')).stdout), { missing: [], accounts: 2, references: 6 })
})

test('an unknown supplier and two formats are wrong usage, and an unavailable storage is an environment failure', async (t) => {
  const { database, environment, documents } = await worldOf(t, ['A'])
  const run = (...more: readonly string[]) => cliInProcess(['documents', 'missing', ...more], environment)
  t.is((await run('NOBODY')).code, 2)
  t.is((await run(database.supplier, '--json', '--ndjson')).code, 2)
  await rm(documents, { recursive: true })
  const { code, stdout, stderr } = await run(database.supplier, '--json')
  t.is(code, 3)
  t.like(JSON.parse(stdout), { error: { code: 'document_storage_unavailable' } })
  t.regex(stderr, /^The document storage cannot be reached \(ENOENT\)/)
})

test('documents missing prints what it found before a failure of the storage, and exits with 3', async (t) => {
  const numbers = Array.from({ length: 600 }, (_, index) => `A-${String(index).padStart(5, '0')}`)
  const { database, environment } = await worldOf(t, numbers)
  let asked = 0
  const port = await listen(t, (request, response) => {
    // The bucket is there and has none of the three documents of the first page; then it is busy.
    if (request.url === '/documents' || request.url === '/documents/') return response.end()
    return response.writeHead(++asked <= 3 ? 404 : 503).end()
  })
  const { code, stdout, stderr } = await cliInProcess(['documents', 'missing', database.supplier, '--json'], {
    ...environment,
    DOCUMENT_STORAGE_URL: `s3+http://key:canary-secret@127.0.0.1:${port}/documents`,
  })
  t.is(code, 3)
  const printed = JSON.parse(stdout) as { missing: unknown[]; error: unknown }
  t.is(printed.missing.length, 1500)
  t.like(printed.error, { code: 'document_storage_unavailable' })
  t.regex(stderr, /HTTP_503.* Until then: 1,500 of 1,500 documents of 500 accounts missing\./)
  t.notRegex(stdout + stderr, /canary/)
})

test('documents missing ends silently when its reader closes the stream', async (t) => {
  const numbers = Array.from({ length: 3000 }, (_, index) => `A-${String(index).padStart(5, '0')}`)
  const { database, environment } = await worldOf(t, numbers)
  const script = '"$0" "$1" documents missing "$2" | head -n 1; echo "${PIPESTATUS[0]}"'
  const child = spawn('bash', ['-c', script, process.execPath, bin, database.supplier], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { stdout, stderr } = await outcomeOf(child)
  t.deepEqual([stdout, stderr], [`A-00000\t${paths[0]}\n3\n`, ''])
})

/** Two organisations, the second one's supplier has a root of its own. */
const twoOrganisations = async (t: ExecutionContext): Promise<Shell> => {
  const commands = await shell(t)
  for (const line of ['organisation create ACME', 'organisation create BETA']) await commands.json(line)
  await commands.json('supplier create PONIENTE --organisation BETA')
  return commands
}

/** A supplier that was written past the operator's commands: its root is the whole bucket. */
const supplierOfWholeBucket = async ({ environment }: Shell): Promise<void> => {
  const knex = connectSql(`sqlite:${join(environment['DATA_DIR'] ?? '', 'account-import.sqlite')}`)
  const { importSuppliers } = createSqlPorts(knex)
  const settings = { ...builtInSettings, documentRoot: '' }
  await answer(importSuppliers.create({ organisation: 'ACME', code: 'LEVANTE', status: 'ongoing', settings }))
  await knex.destroy()
}

const rootOf = async ({ json }: Shell, supplier: string): Promise<string> =>
  (await json<{ settings: { document_root: string } }>(`supplier show ${supplier}`)).settings.document_root

test('a supplier gets a root of its own, and one that overlaps another organisation is wrong usage', async (t) => {
  const commands = await twoOrganisations(t)
  const create = 'supplier create LEVANTE --organisation ACME'
  t.is(await rootOf(commands, 'PONIENTE'), 'BETA/PONIENTE')
  for (const root of ['BETA/PONIENTE', 'BETA/PONIENTE/in', 'BETA']) {
    const { code, stderr } = await commands.run(`${create} --document-root ${root}`)
    t.is(code, 2, root)
    t.regex(stderr, /overlaps with BETA\/PONIENTE, the root of import supplier PONIENTE.*--document-root/s)
  }
  await commands.json(create)
  t.is((await commands.run('supplier configure LEVANTE --document-root ')).code, 2)
  t.is(await rootOf(commands, 'LEVANTE'), 'ACME/LEVANTE')
})

test('a supplier whose root contains documents of another organisation is named by lists and at the start of a server', async (t) => {
  const commands = await twoOrganisations(t)
  await supplierOfWholeBucket(commands)
  const listed = await commands.run('supplier list')
  t.is(listed.stderr.match(/Warning/g)?.length, 1)
  t.regex(listed.stderr, /Warning: The document root of import supplier LEVANTE is \(the bucket itself\)/)
  const { entries } = await started(t, commands.environment)
  t.deepEqual(
    entries
      .filter(({ event }) => event === 'document_root_shared')
      .map(({ supplier, level }) => [supplier, level]),
    [['LEVANTE', 40]],
  )
  await commands.json('supplier configure LEVANTE --document-root ACME/LEVANTE')
  t.is((await commands.run('supplier list --json')).stderr, '')
})

test('a server that listens beyond this machine prints a warning, another one does not', async (t) => {
  for (const [HOST, warned] of [
    ['0.0.0.0', ['0.0.0.0']],
    ['127.0.0.1', []],
  ] as const) {
    const { entries } = await started(t, { HOST })
    t.deepEqual(
      entries.flatMap(({ event, host }) => (event === 'open_to_network' ? [host] : [])),
      warned,
    )
  }
})
