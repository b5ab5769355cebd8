import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { createClient, type Client } from '@account-import/client'
import { createContainer, portIds, readConfig, startServer, type ServerConfig } from '@account-import/server'
import { listen } from '../support/http-server.js'
import { startS3Server } from '../support/s3-server.js'
import { gasAccount } from '../support/samples.js'
import { successOf } from '../support/results.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { jsonCli } from './support/json-cli.js'

const configOf = (environment: Record<string, string>): ServerConfig => {
  const read = readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...environment }, 'serve')
  if (read._tag === 'Left') throw new Error(read.left.map(({ detail }) => detail).join())
  return read.right
}

const warningsOf = async (client: Client): Promise<readonly string[]> =>
  successOf(await client.validateAccount(gasAccount('S1', 'A-1'))).warnings.map(
    ({ attr, code }) => `${attr} ${code}`,
  )

test('the server looks in the folder of the embedded default, and logs when it cannot, naming no path', async (t) => {
  const dataDir = await tempFolder(t)
  const run = jsonCli(t, cliInProcess, { DATA_DIR: dataDir })
  await run('organisation', 'create', 'ACME')
  await run('supplier', 'create', 'S1', '--organisation', 'ACME')
  const { api_key } = await run('api-key', 'create', '--organisation', 'ACME')
  const { address, child, ended } = await serveProcess(t, { DATA_DIR: dataDir })
  const client = createClient({ baseUrl: address, apiKey: String(api_key) })
  t.deepEqual(await warningsOf(client), [])

  await run('supplier', 'configure', 'S1', '--check-documents', 'warn', '--document-root', 'secret-root')
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
  child.kill('SIGTERM')
  const { stderr } = await ended
  const entries = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  t.like(
    entries.find(({ event }) => event === 'document_storage'),
    { level: 40, kind: 'unavailable', code: 'ENOENT' },
  )
  t.notRegex(stderr, /secret-root|contrato/)
})

test('a bucket is reached as DOCUMENT_STORAGE_URL says', async (t) => {
  const { options, stop } = await startS3Server()
  t.teardown(stop)
  const { accessKey, secretKey, port, bucket } = options
  const url = (secret: string, name = bucket) => `s3+http://${accessKey}:${secret}@127.0.0.1:${port}/${name}`
  const existing = (storage: string) =>
    createContainer(configOf({ DATA_DIR: 'unused', DOCUMENT_STORAGE_URL: storage }), undefined)
      .get(portIds.documents)
      .existing(['a.pdf'], 'LLUM')()
  t.deepEqual(await existing(url(secretKey)), { _tag: 'Right', right: new Set() })
  t.like(await existing(url('wrong')), { _tag: 'Left', left: { kind: 'unexpected' } })
  t.like(await existing(url(secretKey, 'another')), {
    _tag: 'Left',
    left: { cause: { code: 'NoSuchBucket' } },
  })
})

test('requests are signed for the region that DOCUMENT_STORAGE_URL names, and no key or secret is in the address', async (t) => {
  const asked: { url: string; authorization: string }[] = []
  const port = await listen(t, ({ url = '', headers }, response) => {
    asked.push({ url, authorization: headers.authorization ?? '' })
    response.end()
  })
  const storage = `s3+http://some-key:some-secret@127.0.0.1:${port}/documents`
  for (const query of ['', '?region=eu-west-1']) {
    const config = configOf({ DATA_DIR: 'unused', DOCUMENT_STORAGE_URL: storage + query })
    await createContainer(config, undefined).get(portIds.documents).existing(['levante/a b+c.pdf'], 'LLUM')()
  }
  t.deepEqual(
    asked.map(({ url, authorization }) => [url, /Credential=[^/]+\/\d+\/([^/]+)/.exec(authorization)?.[1]]),
    [
      ['/documents/levante/a%20b%2Bc.pdf', 'us-east-1'],
      ['/documents/levante/a%20b%2Bc.pdf', 'eu-west-1'],
    ],
  )
})

test('what was found is remembered by the server, what was missing is not', async (t) => {
  const stored = new Set(['/documents/there.pdf'])
  const asked: string[] = []
  const port = await listen(t, ({ url = '' }, response) => {
    asked.push(url)
    response.writeHead(stored.has(url) || url.endsWith('documents') || url.endsWith('/') ? 200 : 404).end()
  })
  const config = configOf({
    DATA_DIR: 'unused',
    DOCUMENT_STORAGE_URL: `s3+http://key:secret@127.0.0.1:${port}/documents`,
  })
  const documents = createContainer(config, undefined).get(portIds.documents)
  for (const _ of [1, 2])
    t.deepEqual(await documents.existing(['there.pdf', 'missing.pdf'], 'LLUM')(), {
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
