import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { readConfig, startServer, StartError, type ServerConfig } from '@account-import/server'
import { cli, outcomeOf } from '../support/cli-process.js'
import { halfRequest } from './support/half-request.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { untilSaid } from '../support/until-said.js'

const answers = async (address: string): Promise<boolean> =>
  fetch(address).then(
    () => true,
    () => false,
  )

const configIn = (dataDir: string, more: Record<string, string> = {}): ServerConfig => {
  const read = readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', ...more }, 'serve')
  if (read._tag === 'Left') throw new Error(read.left.map(({ detail }) => detail).join())
  return read.right
}

test('serve migrates the embedded default, announces its address, and ends with 0 on SIGTERM', async (t) => {
  const dataDir = join(await tempFolder(t), 'new', 'data')
  const { child, address, ended } = await serveProcess(t, { DATA_DIR: dataDir })
  for (const file of ['', 'account-import.sqlite', 'token-signing-key'])
    t.is((await stat(join(dataDir, file))).mode & 0o077, 0, file)
  const answer = await fetch(`${address}/v1/data-import/account-transfer-status/S/1/`)
  t.is(answer.status, 401)
  child.kill('SIGTERM')
  const { code, stdout, stderr } = await ended
  t.is(code, 0)
  t.is(stdout.trim().split('\n').length, 1)
  const entries = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  t.deepEqual(
    entries.map(({ event }) => event),
    ['started', 'request', 'stopping', 'stopped'],
  )
  t.like(entries[1], { status: 401, code: 'not_authenticated' })
})

test('serve answers under the configured base path', async (t) => {
  const { announced } = await serveProcess(t, { DATA_DIR: await tempFolder(t), BASE_PATH: '/migration' })
  t.regex(String(announced['address']), /\/migration$/)
  const under = await fetch(`${String(announced['address'])}/v1/data-import/validate-account/`, {
    method: 'POST',
  })
  t.is(under.status, 401)
})

test('on SIGTERM a running request is finished while new connections are refused', async (t) => {
  const { child, address, ended } = await serveProcess(t, { DATA_DIR: await tempFolder(t) })
  const request = await halfRequest(address)
  child.kill('SIGTERM')
  await untilSaid(child.stderr, '"stopping"')
  t.false(await answers(address))
  const answer = await request.finish()
  t.regex(answer, /^HTTP\/1\.1 200 /)
  t.regex(answer, /^connection: close\r$/im)
  t.true(answer.endsWith('}'))
  t.is((await ended).code, 0)
})

test('idle kept-alive connections do not hold up the end', async (t) => {
  const { child, address, ended } = await serveProcess(t, { DATA_DIR: await tempFolder(t) })
  await (await fetch(address)).text()
  const since = Date.now()
  child.kill('SIGINT')
  t.is((await ended).code, 0)
  t.true(Date.now() - since < 5000)
})

test('a second signal ends the process at once', async (t) => {
  const { child, address, ended } = await serveProcess(t, { DATA_DIR: await tempFolder(t) })
  await halfRequest(address)
  child.kill('SIGTERM')
  await untilSaid(child.stderr, '"stopping"')
  child.kill('SIGTERM')
  t.is((await ended).code, 143)
})

test('a request that never ends is cut off after the time allowed', async (t) => {
  const server = await startServer(configIn(await tempFolder(t)), { drainMilliseconds: 200 })
  const request = await halfRequest(server.address)
  const since = Date.now()
  await server.stop()
  t.true(Date.now() - since < 3000)
  t.is(await request.ended, '')
})

test('an address that is in use is an environment failure that says so', async (t) => {
  const { address } = await serveProcess(t, { DATA_DIR: await tempFolder(t) })
  const { port } = new URL(address)
  const { code, stdout, stderr } = await cli(['serve', '--json'], {
    PORT: port,
    DATA_DIR: await tempFolder(t),
  })
  t.is(code, 3)
  t.is((JSON.parse(stdout) as { error: { code: string } }).error.code, 'address_not_usable')
  t.regex(stderr, new RegExp(`^Cannot listen on 127\\.0\\.0\\.1, port ${port}: another program`))
})

test('a host that this machine does not have is an environment failure', async (t) => {
  const error = await t.throwsAsync(startServer(configIn(await tempFolder(t), { HOST: '192.0.2.1' })), {
    instanceOf: StartError,
  })
  t.is(error.code, 'address_not_usable')
})

test('a wrong configuration ends serve with 2 before anything is opened', async (t) => {
  const { code, stderr, stdout } = await cli(['serve'], { PORT: 'x', LOG_LEVEL: 'loud' })
  t.is(code, 2)
  t.is(stdout, '')
  t.regex(stderr, /PORT must[^\n]*\n {2}LOG_LEVEL must/)
})

test('a database server that cannot be reached ends serve with 3', async (t) => {
  const { code, stderr } = await cli(['serve'], {
    DATABASE_URL: 'mysql://u:pass-canary@127.0.0.1:1/imports',
    TOKEN_SIGNING_KEY: Buffer.alloc(32, 1).toString('base64'),
  })
  t.is(code, 3)
  t.regex(stderr, /^The database cannot be reached/)
  t.notRegex(stderr, /canary/)
})

test('a database file that cannot be used ends serve with 3 and names path and errno', async (t) => {
  const dataDir = await tempFolder(t)
  const none = join(dataDir, 'none')
  for (const [file, said] of [
    ['/dev/null/x', "The database file /dev/null/x cannot be used by user U: ENOTDIR: .* '/dev/null/x'"],
    [`${none}/x`, `The database file ${none}/x cannot be used by user U: ENOENT: .* '${none}'`],
    [dataDir, 'The database file cannot be opened'],
  ] as const) {
    const { code, stderr } = await cli(['serve'], { DATABASE_URL: `sqlite:${file}`, DATA_DIR: dataDir })
    t.is(code, 3, file)
    t.is(stderr.split('\n').length, 2)
    t.regex(stderr, new RegExp(`^${said.replace('U:', String.raw`\d+:`)}\\. `))
    t.regex(stderr, /DATABASE_URL or DATA_DIR/)
  }
})

test('a database URL that cannot be percent-decoded is a wrong configuration, not a crash', async (t) => {
  const { code, stderr } = await cli(['team', 'list'], {
    DATABASE_URL: 'mysql://u:s%ZZpw-canary@127.0.0.1/d',
  })
  t.is(code, 2)
  t.regex(stderr, /DATABASE_URL must be [^\n]*percent-encoded/)
  t.notRegex(stderr, /canary/)
})

test('a fault that nobody caught is logged by name only, and ends the process with 3', async (t) => {
  const dist = new URL('./', import.meta.resolve('@account-import/server')).href
  const script = `
    import { createLog } from '${dist}log/create-log.js'
    import { logCrashes } from '${dist}log/log-crashes.js'
    logCrashes(createLog('info'))
    Promise.reject(new TypeError('payload-canary'))
    setInterval(() => undefined, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { code, stderr } = await outcomeOf(child)
  t.is(code, 3)
  t.like(JSON.parse(stderr), { level: 60, event: 'crashed', name: 'TypeError' })
  t.notRegex(stderr, /canary/)
})

test('two servers in one process are independent and can be started again', async (t) => {
  const [one, two] = [await tempFolder(t), await tempFolder(t)]
  const first = await startServer(configIn(one))
  const second = await startServer(configIn(two))
  await first.useCases.operator.createTeam('North')()
  t.deepEqual(await second.useCases.operator.listTeams()(), { _tag: 'Right', right: [] })
  await first.stop()
  t.false(await answers(first.address))
  t.true(await answers(second.address))
  await second.stop()
  const again = await startServer(configIn(one))
  t.deepEqual(await again.useCases.operator.listTeams()(), {
    _tag: 'Right',
    right: [{ name: 'North', organisations: [] }],
  })
  await again.stop()
})
