import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { printable, withoutReturns } from '@account-import/account-files'
import test, { type ExecutionContext } from 'ava'
import { obtained } from '../http/support/for-clients.js'
import { freePort, makeCertificates } from '../servers/index.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { cli } from '../support/cli-process.js'
import { listen } from '../support/http-server.js'
import { filesBelow, root, textOf } from '../support/repository.js'
import { setUp } from '../support/set-up.js'
import { tempFolder } from '../support/temp-folder.js'
import { terminalOf } from '../support/terminal.js'
import { shell } from './support/shell.js'
import { started } from './support/started.js'

const execute = promisify(execFile)

const key = { ACCOUNT_IMPORT_API_KEY: 'aik_wrong' }

test('a refused key is named by its source', async (t) => {
  const { address, useCases } = await started(t)
  const { supplier, apiKey } = await setUp(useCases.operator)
  const folder = await tempFolder(t)
  const [file, right, accounts] = ['wrong', 'right', 'a.ndjson'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeFile(file, 'aik_wrong\n')
  await writeFile(right, `${apiKey}\n`)
  await writeFile(accounts, '{}\n')
  const refused = (stderr: string) => ({ code: 2, stdout: '', stderr: `${stderr}\n` })
  for (const command of [
    ['status', supplier],
    ['import', accounts, '--team', 'T'],
    ['process', '--supplier', supplier, '--team', 'T'],
  ]) {
    const args = [...command, '--url', address]
    const byFile = await cliInProcess([...args, '--api-key-file', file], {})
    t.deepEqual(byFile, refused(`The service does not accept the API key of ${file}.`))
    t.deepEqual(
      await cliInProcess(args, key),
      refused('The service does not accept the API key of the variable ACCOUNT_IMPORT_API_KEY.'),
    )
  }
  const status = (...args: readonly string[]) =>
    cliInProcess(['status', ...args, '--api-key-file', right], {})
  t.deepEqual(await status('PONIENT', '--url', address), refused('No supplier PONIENT for this key.'))
  t.deepEqual(
    await status(supplier, '--url', `${address}/wrong`),
    refused('There is no account import service at this address.'),
  )
})

test('a text with a placeholder for the request id has it', async (t) => {
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
  test(`${name} reports a missing file, or the errno of an unreadable one, and no command to continue`, async (t) => {
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

test('CSV instead of accounts is reported as CSV with the tutorial, and broken JSON is not', async (t) => {
  const file = join(await tempFolder(t), 'a')
  for (const head of [
    'number;name;e-mail',
    '"Account no.","Given name","Post code"',
    'a\tb\tc_1',
    '\ufeffúnico;dos;tres',
    'cliente;saldo',
    'Saldo (€)|N.º',
    Buffer.from('año,población', 'latin1'),
  ]) {
    await writeFile(file, Buffer.concat([Buffer.from(head), Buffer.from('\r\n1;2;3\r\n')]))
    for (const args of [
      ['validate', file],
      ['import', file, '--team', 'T', '--url', 'http://127.0.0.1:1'],
    ]) {
      const { code, stderr } = await cliInProcess(args, key)
      t.is(code, 2, String(head))
      t.regex(stderr, /^The file looks like CSV\. .*from-a-csv-export\.md shows how\.\n$/)
    }
  }
  for (const line of ['{"a":1,"b":2,"c":3', 'no json', '1;2;3', '"a","b"']) {
    await writeFile(file, `${line}\n`)
    t.is((await cliInProcess(['validate', file], {})).code, 1, line)
  }
})

test('a service that never responded ends the command at once, with 3', async (t) => {
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
    t.true(stderr.startsWith(`No response from ${url} (ECONNREFUSED). `), stderr)
  }
})

test('a service whose TLS fails ends the command at once, with 3 and the reason of Node.js', async (t) => {
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
    const url = `https://127.0.0.1:${await listen(t, server)}`
    const args = ['import', file, '--team', 'T', '--retry-for', '3600', '--url', url]
    const { code, stderr } = await cliInProcess(args, key)
    t.is(code, 3)
    t.true(stderr.startsWith(`There is no TLS connection to ${url} (${reason}). `), stderr)
  }
})

/** The name that the program gives itself in a text, started so. */
const called = async (t: ExecutionContext, environment: Readonly<Record<string, string>>) => {
  const data = { DATA_DIR: await tempFolder(t) }
  await cliInProcess(['organisation', 'create', 'ACME'], data)
  const { stderr } = await cli(['team', 'list'], { ...data, ...environment })
  return / Make one with: (.*) team create NAME\n$/.exec(stderr)?.[1]
}

test.serial(
  'commands in texts are as they are typed: plain when it is on the path, by npx in a clone, else as started',
  async (t) => {
    t.regex((await called(t, {})) ?? '', /^node \S*server\/bin\/account-import\.js$/)
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
  },
)

/** Characters that steer a terminal, turn the direction of writing, or cannot be seen. */
const steering =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\0-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u

const hostile =
  'a\u001b[2J\u0007\r\u007f\u0085\u009b31m\u061c\u200b\u200f\u2028\u2029\u202e\u2060\u2066\ufeff\u00ad\u{e0041}z'

const shown = String.raw`\u009b31m\u061c\u200b\u200f\u2028\u2029\u202e\u2060\u2066\ufeff\u00ad\udb40\udc41z`

test('text from the database contains no terminal controls, and its JSON stays equal', async (t) => {
  const environment = { DATA_DIR: await tempFolder(t) }
  const created = await cliInProcess(['organisation', 'create', 'ACME', '--name', hostile], environment)
  t.is(created.code, 0, created.stderr)
  await cliInProcess(['organisation', 'create', 'LINES', '--name', 'b\nc'], environment)
  const list = await cliInProcess(['organisation', 'list'], environment)
  t.notRegex(list.stdout, steering)
  t.true(list.stdout.includes(String.raw`b\nc`), list.stdout)
  t.true(list.stdout.includes(shown), list.stdout)
  const json = await cliInProcess(['organisation', 'list', '--json'], environment)
  t.notRegex(json.stdout, steering)
  t.like(JSON.parse(json.stdout), [{ name: hostile }])
  const record = await cliInProcess(['audit', 'list', '--json'], environment)
  t.notRegex(record.stdout, steering)
  t.true(record.stdout.includes(shown))
  for (const wrong of [
    ['organisation', hostile],
    ['organisation', 'list', hostile],
    ['import', hostile, '--url', 'https://x', '--team', hostile],
  ])
    t.notRegex((await cliInProcess(wrong, { ...environment, ACCOUNT_IMPORT_API_KEY: 'k' })).stderr, steering)
})

test('text from a service, or from a proxy before it, contains no terminal controls', async (t) => {
  const port = await listen(t, (_, response) =>
    response.writeHead(400, { 'Content-Type': 'application/json' }).end(
      JSON.stringify({
        detail: hostile,
        code: hostile,
        errors: [{ detail: hostile, code: 'c', attr: hostile }],
      }),
    ),
  )
  const args = ['status', 'S', '--url', `http://127.0.0.1:${port}`]
  for (const options of [[], ['--json']]) {
    const { code, stdout, stderr } = await cliInProcess([...args, ...options], {
      ACCOUNT_IMPORT_API_KEY: 'k',
    })
    t.is(code, 2)
    t.notRegex(stdout + stderr, steering)
    t.true(stderr.includes(shown), stderr)
  }
})

test('the progress of an import contains no terminal controls from a service', async (t) => {
  const port = await listen(t, (request, response) => {
    const isLogin = request.url === '/v1/graphql/'
    response
      .writeHead(isLogin ? 200 : 503, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(isLogin ? obtained : { detail: hostile, code: 'c', errors: [] }))
  })
  const file = join(await tempFolder(t), 'a.ndjson')
  await writeFile(file, '{}\n')
  const args = ['import', file, '--team', 'T', '--url', `http://127.0.0.1:${port}`, '--retry-for', '2']
  const { terminal, shown: written } = terminalOf(400)
  const { code } = await cliInProcess(args, key, { terminal })
  t.is(code, 3)
  t.true(written().includes('Trying again: a'), written())
  t.false(written().includes('\u001b[2J\u0007'))
  // The bar's own sequences apart.
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  t.notRegex(written().replaceAll(/\u001b\[[0-9;?]*[A-Za-z]|\r/g, ''), steering)
})

test('only the process itself and the log write to the output', (t) => {
  const writing = ['packages/cli/src', 'packages/server/src']
    .flatMap((folder) => filesBelow(folder))
    .filter(
      (path) =>
        path.endsWith('.ts') &&
        /process\.(?:stdout|stderr)(?!\.(?:isTTY|columns)\b)|\bconsole\./.test(textOf(path)),
    )
  t.deepEqual(writing.toSorted(), [
    'packages/cli/src/kit/process.ts',
    'packages/server/src/log/create-log.ts',
  ])
})

test('JSON stays equal with any white space between its values', async (t) => {
  const text = '\r{\r\n"a" :\t"x\u0085\u202e\u{e0041}",\r"b":[1e999,\r1.50]}\r'
  const written = printable(withoutReturns(text))
  t.notRegex(written.replaceAll('\r\n', ''), steering)
  t.deepEqual(JSON.parse(written), JSON.parse(text))
})

test('the output of a new key is the key alone, and the note about it goes to stderr', async (t) => {
  const { environment, run } = await shell(t)
  await run('organisation create ACME')
  const kept = 'KEY=$(account-import api-key create --organisation ACME --scope read); printf "<%s>" "$KEY"'
  const { stdout, stderr } = await execute('sh', ['-c', kept], {
    env: { ...environment, PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}` },
  })
  t.regex(stdout, /^<aik_[\w-]+>$/)
  t.regex(stderr, /^Keep the key now/)
  const json = await run('api-key create --organisation ACME --scope read --json')
  t.deepEqual([json.stdout.trim().split('\n').length, json.stderr], [1, ''])
})

test('outcomes are printed on stderr and results on stdout', async (t) => {
  const { run } = await shell(t)
  t.deepEqual(await run('organisation create ACME'), {
    code: 0,
    stdout: '',
    stderr: 'Organisation ACME was created.\n',
  })
  const none = await run('supplier list')
  t.is(none.stdout, '')
  t.regex(none.stderr, /^There is no supplier yet\./)
  t.is((await run('supplier create LEVANTE --organisation ACME')).stdout, '')
  const listed = await run('supplier list')
  t.regex(listed.stdout, /^CODE .*\nLEVANTE /)
  t.is(listed.stderr, '')
})
