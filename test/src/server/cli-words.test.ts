import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { freePort, makeCertificates } from '../servers/index.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { cli, spawnCli, outcomeOf } from '../support/cli-process.js'
import { listen } from '../support/http-server.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'

const key = { ACCOUNT_IMPORT_API_KEY: 'aik_wrong' }

test('a key that the service does not accept is named by where it came from', async (t) => {
  const dataDir = await tempFolder(t)
  const { address } = await serveProcess(t, { DATA_DIR: dataDir }, ['--demo'])
  const file = join(dataDir, 'key')
  await writeFile(file, 'aik_wrong\n')
  const accounts = join(dataDir, 'a.ndjson')
  await writeFile(accounts, '{}\n')
  for (const command of [
    ['status', 'LEVANTE'],
    ['import', accounts, '--team', 'T'],
    ['process', '--supplier', 'LEVANTE', '--team', 'T'],
  ]) {
    const args = [...command, '--url', address]
    const byFile = await cliInProcess([...args, '--api-key-file', file], {})
    t.deepEqual(byFile, {
      code: 2,
      stdout: '',
      stderr: `The service does not accept the API key of ${file}.\n`,
    })
    const byVariable = await cliInProcess(args, key)
    t.is(
      byVariable.stderr,
      'The service does not accept the API key of the variable ACCOUNT_IMPORT_API_KEY.\n',
    )
  }
  const demo = ['--api-key-file', join(dataDir, 'demo-api-key')]
  const unknown = await cliInProcess(['status', 'PONIENT', '--url', address, ...demo], {})
  t.deepEqual(unknown, { code: 2, stdout: '', stderr: 'No supplier PONIENT for this key.\n' })
  const elsewhere = await cliInProcess(['status', 'LEVANTE', '--url', `${address}/wrong`, ...demo], {})
  t.deepEqual(elsewhere, {
    code: 2,
    stdout: '',
    stderr: 'There is no account import service at this address.\n',
  })
})

test('a text that asks for the request id has it', async (t) => {
  const port = await listen(t, (_, response) =>
    response
      .writeHead(500, { 'Content-Type': 'application/json', 'X-Request-Id': 'the-id-1' })
      .end('{"detail":"Give the operator the request id.","code":"error","errors":[]}'),
  )
  const { code, stderr } = await cliInProcess(['status', 'S', '--url', `http://127.0.0.1:${port}`], key)
  t.is(code, 3)
  t.is(stderr, 'Give the operator the request id. The request id is the-id-1.\n')
})

const unread: Readonly<Record<string, (path: string) => readonly string[]>> = {
  import: (path) => ['import', path, '--team', 'T', '--url', 'http://127.0.0.1:1'],
  validate: (path) => ['validate', path],
  'validate --settings': (path) => ['validate', '-', '--settings', path],
  'status --api-key-file': (path) => ['status', 'S', '--url', 'http://127.0.0.1:1', '--api-key-file', path],
}

for (const [name, args] of Object.entries(unread))
  test(`${name} says that there is no such file, or by which errno it cannot be read, and nothing to go on by`, async (t) => {
    const folder = await tempFolder(t)
    const missing = join(folder, 'nofile')
    t.deepEqual(await cliInProcess(args(missing), key), {
      code: 3,
      stdout: '',
      stderr: `There is no file ${missing}.\n`,
    })
    const file = join(folder, 'file')
    await writeFile(file, '')
    const beyond = join(file, 'file')
    t.like(await cliInProcess(args(beyond), key), {
      code: 3,
      stderr: `${beyond} cannot be read (ENOTDIR).\n`,
    })
  })

test('CSV that was taken for accounts is called CSV, and the tutorial is named; broken JSON is not called so', async (t) => {
  const file = join(await tempFolder(t), 'a')
  for (const head of [
    'number;name;e-mail',
    '"Account no.","Given name","Post code"',
    'a\tb\tc_1',
    '\ufeffúnico;dos;tres',
  ]) {
    await writeFile(file, `${head}\r\n1;2;3\r\n`)
    for (const args of [
      ['validate', file],
      ['import', file, '--team', 'T', '--url', 'http://127.0.0.1:1'],
    ]) {
      const { code, stderr } = await cliInProcess(args, key)
      t.is(code, 2, head)
      t.regex(stderr, /^The file looks like CSV\. .*from-a-csv-export\.md shows how\.\n$/)
    }
  }
  for (const line of ['{"a":1,"b":2,"c":3', 'no json', '1;2;3', '"a","b"']) {
    await writeFile(file, `${line}\n`)
    t.is((await cliInProcess(['validate', file], {})).code, 1, line)
  }
})

test('where nobody has answered yet, nobody is waited for: 3 at once', async (t) => {
  const folder = await tempFolder(t)
  const file = join(folder, 'a.ndjson')
  await writeFile(file, '{}\n')
  const url = `http://127.0.0.1:${await freePort()}`
  for (const args of [
    ['import', file, '--team', 'T', '--retry-for', '3600'],
    ['stage', file, '--retry-for', '3600'],
    ['process', '--supplier', 'S', '--team', 'T', '--retry-for', '3600'],
    ['status', 'S', '--watch'],
  ]) {
    const { code, stderr } = await cliInProcess([...args, '--url', url], key)
    t.is(code, 3)
    t.true(stderr.startsWith(`Nothing answers at ${url} (ECONNREFUSED). `), stderr)
  }
})

test('where TLS never comes about, nobody is waited for: 3 at once, with the reason of Node.js', async (t) => {
  const folder = await tempFolder(t)
  const file = join(folder, 'a.ndjson')
  await writeFile(file, '{}\n')
  const { certificate, key: privateKey } = await makeCertificates(folder, 'untrusted', 'IP:127.0.0.1')
  const plain = createHttpServer()
  const untrusted = createHttpsServer({
    cert: await readFile(certificate, 'utf8'),
    key: await readFile(privateKey, 'utf8'),
  })
  for (const [server, reason] of [
    [plain, 'ERR_SSL_WRONG_VERSION_NUMBER'],
    [untrusted, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ] as const) {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    t.teardown(() => server.close())
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    const args = ['import', file, '--team', 'T', '--retry-for', '3600', '--url', url]
    const { code, stderr } = await cliInProcess(args, key)
    t.is(code, 3)
    t.true(stderr.startsWith(`There is no TLS connection to ${url} (${reason}). `), stderr)
  }
})

/** The name that the program gives itself in a text, started so. */
const called = async (t: ExecutionContext, environment: Readonly<Record<string, string>>) => {
  const data = { DATA_DIR: await tempFolder(t) }
  await cli(['organisation', 'create', 'ACME'], data)
  const { stderr } = await outcomeOf(spawnCli(['team', 'list'], { ...data, ...environment }))
  return / Make one with: (.*) team create NAME\n$/.exec(stderr)?.[1]
}

test('a command is told as it has to be typed: plain where it is on the path, by npx in a clone, else as it was started', async (t) => {
  t.regex((await called(t, {})) ?? '', /^node \S*server\/dist\/main\.js$/)
  t.is(await called(t, { npm_lifecycle_event: 'npx' }), 'npx account-import')
  const folder = await tempFolder(t)
  const ofNpm = join(folder, 'node_modules/.bin')
  await mkdir(ofNpm, { recursive: true })
  for (const place of [folder, ofNpm]) {
    await writeFile(join(place, 'account-import'), '')
    await chmod(join(place, 'account-import'), 0o755)
  }
  const path = process.env['PATH'] ?? ''
  t.is(
    await called(t, { PATH: [folder, path].join(delimiter), npm_lifecycle_event: 'npx' }),
    'account-import',
  )
  t.is(
    await called(t, { PATH: [ofNpm, path].join(delimiter), npm_lifecycle_event: 'npx' }),
    'npx account-import',
  )
})
