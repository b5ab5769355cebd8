import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { obtainTokenMutation } from '@account-import/http-contract'
import { StartError, startServer } from '@account-import/server'
import test, { type ExecutionContext } from 'ava'
import type { OperatorUseCases } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { codesIn, sendGraphql } from '../http/support/graphql.js'
import { cli, outcomeOf, spawnCli } from '../support/cli-process.js'
import { root } from '../support/repository.js'
import { gasAccount } from '../support/samples.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { untilPrinted } from '../support/until-printed.js'
import { beginLogin } from './support/begun-request.js'
import { worksOnLaterTables } from './support/later-tables.js'
import { configOf, started } from './support/started.js'
import { answer } from '../support/answers.js'
import { cliInProcess } from '../support/cli-in-process.js'

type Demo = Readonly<{ importSupplier: string; keyFile: string; apiKey?: string }> | undefined

const { ensureDemo } = (await import(
  new URL('demo/ensure-demo.js', import.meta.resolve('@account-import/server')).href
)) as { ensureDemo: (operator: OperatorUseCases, dataDir: string) => Promise<Demo> }

const answers = async (address: string): Promise<boolean> =>
  fetch(address).then(
    () => true,
    () => false,
  )

const entriesIn = (stderr: string): readonly Record<string, unknown>[] =>
  stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

test.serial(
  'serve migrates the embedded default and announces itself, and on SIGTERM finishes open requests, refuses new ones and exits with 0',
  async (t) => {
    const dataDir = join(await tempFolder(t), 'new', 'data')
    const { child, address, ended } = await serveProcess(t, { DATA_DIR: dataDir })
    t.is((await fetch(`${address}/v1/data-import/account-transfer-status/S/1/`)).status, 401)
    const request = await beginLogin(address)
    child.kill('SIGTERM')
    await untilPrinted(child.stderr, '"stopping"')
    t.false(await answers(address))
    request.finish()
    t.like(await request.answered, {
      status: 200,
      connection: 'close',
      body: { data: { __typename: 'Query' } },
    })
    const { code, stdout, stderr } = await ended
    t.is(code, 0)
    t.is(stdout.trim().split('\n').length, 1)
    const entries = entriesIn(stderr)
    t.deepEqual(
      entries.map(({ event }) => event),
      ['started', 'request', 'stopping', 'request', 'stopped'],
    )
    t.like(entries[1], { status: 401, code: 'not_authenticated' })
  },
)

test.serial(
  'serve responds under the base path, exits with 3 when its address is in use, and does not wait for an idle connection on SIGINT',
  async (t) => {
    const served = await serveProcess(t, { DATA_DIR: await tempFolder(t), BASE_PATH: '/migration' })
    t.regex(served.address, /\/migration$/)
    const under = await fetch(`${served.address}/v1/data-import/validate-account/`, { method: 'POST' })
    t.is(under.status, 401)
    await under.text()
    const { port } = new URL(served.address)
    const other = await cli(['serve', '--json'], { PORT: port, DATA_DIR: await tempFolder(t) })
    t.is(other.code, 3)
    t.is((JSON.parse(other.stdout) as { error: { code: string } }).error.code, 'address_not_usable')
    t.regex(other.stderr, new RegExp(`^Cannot listen on 127\\.0\\.0\\.1, port ${port}: another program`))
    const since = Date.now()
    served.child.kill('SIGINT')
    t.is((await served.ended).code, 0)
    t.true(Date.now() - since < 5000)
  },
)

test.serial('a second signal ends the process at once', async (t) => {
  const { child, address, ended } = await serveProcess(t, { DATA_DIR: await tempFolder(t) })
  await beginLogin(address)
  child.kill('SIGTERM')
  await untilPrinted(child.stderr, '"stopping"')
  child.kill('SIGTERM')
  t.is((await ended).code, 143)
})

test.serial('a server that npx started ends when npx ends, which forwards no signal', async (t) => {
  const { PATH = '', HOME = '' } = process.env
  const npx = spawn('npx', ['account-import', 'serve'], {
    cwd: root,
    env: { PATH, HOME, DATA_DIR: await tempFolder(t), PORT: '0', npm_config_offline: 'true' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  t.teardown(() => npx.kill('SIGKILL'))
  let said = ''
  npx.stderr.setEncoding('utf8')
  while (!said.includes('accepting requests')) said += String((await once(npx.stderr, 'data'))[0])
  const address = /"address":"([^"]+)"/.exec(said)?.[1] ?? ''
  t.true(await answers(address), said)
  t.notRegex(said, /Serving/, 'without a terminal stderr is the log alone')
  npx.kill('SIGTERM')
  while (await answers(address)) await setTimeout(100)
  t.pass()
})

test.serial(
  'the log has colours on a terminal, none with NO_COLOR and JSON elsewhere, and an uncaught fault is logged by name and ends with 3',
  async (t) => {
    const dist = new URL('./', import.meta.resolve('@account-import/server')).href
    const script = `
      const { createLog, logCrashes } = await import('${dist}log/create-log.js')
      const logged = (isTTY, colourless) => {
        Object.defineProperty(process.stderr, 'isTTY', { value: isTTY, configurable: true })
        process.env.NO_COLOR = colourless
        const log = createLog('info')
        log.debug({ event: 'hidden' }, 'hidden')
        log.warn({ event: 'retry', reason: 'a\\u001b[2Jb\\nc', attempt: 2 }, 'tried again')
        return log
      }
      logged(true, '')
      logged(true, '1')
      logCrashes(logged(false, ''))
      Promise.reject(new TypeError('payload-canary'))
      setInterval(() => undefined, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { PATH: process.env['PATH'] ?? '', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const { code, stderr } = await outcomeOf(child)
    t.is(code, 3)
    t.notRegex(stderr, /canary|hidden/)
    const [coloured = '', plain = '', ...rest] = stderr.split('\n')
    // The entry of the crash is written at once, and may precede one in progress.
    const entryOf = (event: string) => rest.find((line) => line.includes(`"event":"${event}"`)) ?? ''
    t.is(rest.length, 3)
    t.regex(
      coloured.replaceAll('\u001b', 'ESC'),
      /^\d\d:\d\d:\d\d ESC\[33mWARN ESC\[0m tried again {2}ESC\[90mreason=/,
    )
    t.true(coloured.includes(String.raw`reason=a\u001b[2Jb\nc attempt=2`))
    t.regex(plain, /^\d\d:\d\d:\d\d WARN {2}tried again {2}reason=.* attempt=2$/)
    t.like(JSON.parse(entryOf('retry')), { level: 40, event: 'retry', attempt: 2, message: 'tried again' })
    t.like(JSON.parse(entryOf('crashed')), { level: 60, event: 'crashed', name: 'TypeError' })
  },
)

test('a request that never ends is cut off after the time-out', async (t) => {
  const server = await started(t, {}, { drainMilliseconds: 200 })
  const request = await beginLogin(server.address)
  const since = Date.now()
  await server.stop()
  t.true(Date.now() - since < 3000)
  t.is(await request.answered, undefined)
})

test('an unusable host or database is reported in one line with path and errno, and nothing is served', async (t) => {
  const dataDir = await tempFolder(t)
  const none = join(dataDir, 'none')
  const failure = async (environment: Record<string, string>) =>
    t.throwsAsync(startServer(configOf({ DATA_DIR: dataDir, ...environment })), { instanceOf: StartError })
  t.is((await failure({ HOST: '192.0.2.1' })).code, 'address_not_usable')
  const away = await failure({
    DATABASE_URL: 'mysql://u:pass-canary@127.0.0.1:1/imports',
    TOKEN_SIGNING_KEY: Buffer.alloc(32, 1).toString('base64'),
  })
  t.regex(away.message, /^The database cannot be reached(?!.*canary)/)
  for (const [file, said] of [
    ['/dev/null/x', "The database file /dev/null/x cannot be used by user U: ENOTDIR: .* '/dev/null/x'"],
    [`${none}/x`, `The database file ${none}/x cannot be used by user U: ENOENT: .* '${none}'`],
    [dataDir, 'The database file cannot be opened'],
  ] as const) {
    const { message } = await failure({ DATABASE_URL: `sqlite:${file}` })
    t.regex(
      message,
      new RegExp(`^${said.replace('U:', String.raw`\d+:`)}\\. .*DATABASE_URL or DATA_DIR[^\\n]*$`),
    )
  }
})

test('two servers in one process are independent and can be started again', async (t) => {
  const one = { DATA_DIR: await tempFolder(t) }
  const first = await started(t, one)
  const second = await started(t)
  await first.useCases.operator.createTeam('North')
  t.deepEqual(await second.useCases.operator.listTeams(), { _tag: 'Right', right: [] })
  await first.stop()
  t.false(await answers(first.address))
  t.true(await answers(second.address))
  await second.stop()
  const again = await started(t, one)
  const right = [{ name: 'North', organisations: [] }]
  t.deepEqual(await again.useCases.operator.listTeams(), { _tag: 'Right', right })
})

/** Tries a wrong key eleven times as the proxy passes it on for one client, then for another; gives the code of the last refusal. */
const afterLockOut = async (t: ExecutionContext, environment: Record<string, string>) => {
  const { address } = await started(t, environment)
  const attempt = async (client: string): Promise<unknown> => {
    const body = { query: obtainTokenMutation, variables: { input: { apiKey: 'wrong' } } }
    const forwarded = { 'X-Forwarded-For': `spoofed, ${client}` }
    return (await codesIn(t, await sendGraphql(address, body, forwarded)))[0]
  }
  for (let count = 0; count < 11; count += 1) await attempt('203.0.113.1')
  return [await attempt('203.0.113.1'), await attempt('203.0.113.2')]
}

test('TRUST_PROXY keeps one failing client from locking out others, and without it no header chooses an address', async (t) => {
  t.deepEqual(await afterLockOut(t, { TRUST_PROXY: 'on' }), ['TOO_MANY_ATTEMPTS', 'AUTHENTICATION_FAILED'])
  t.deepEqual(await afterLockOut(t, {}), ['TOO_MANY_ATTEMPTS', 'TOO_MANY_ATTEMPTS'])
})

test('a server works on tables of the next version without migrating (SQLite)', async (t) =>
  worksOnLaterTables(t, `sqlite:${join(await tempFolder(t), 'test.db')}`))

const operatorOf = () => makeUseCases(inMemoryPorts()).operator

test('the demo is created once, and its key is printed by the run that created it and stored for its owner alone', async (t) => {
  const [dataDir, operator] = [await tempFolder(t), operatorOf()]
  const made = await ensureDemo(operator, dataDir)
  const keyFile = join(dataDir, 'demo-api-key')
  t.like(made, { importSupplier: 'LEVANTE', generatedSupplier: 'DEMO', keyFile })
  t.is<unknown, unknown>((await readFile(keyFile, 'utf8')).trim(), made?.apiKey)
  t.is((await stat(keyFile)).mode & 0o777, 0o600)
  const { apiKey: _, ...found } = made ?? {}
  t.deepEqual<unknown, unknown>(await ensureDemo(operator, dataDir), found)
  const { listOrganisations, listSuppliers, listTeams, listApiKeys } = operator
  for (const list of [listOrganisations, listTeams, listApiKeys])
    t.is((await answer<readonly unknown[]>(list())).length, 1)
  t.is((await answer<readonly unknown[]>(listSuppliers())).length, 2)
})

test('serve --demo --json reports the demo and its key file, and the key in the run that created it', async (t) => {
  const dataDir = await tempFolder(t)
  const reported = async () => {
    const { child, announced, ended } = await serveProcess(t, { DATA_DIR: dataDir }, ['--demo'])
    child.kill('SIGTERM')
    await ended
    return announced['demo']
  }
  const first = await reported()
  const demo = {
    organisation: 'DEMO',
    import_supplier: 'LEVANTE',
    operations_team: 'Demo team',
    api_key_file: join(dataDir, 'demo-api-key'),
  }
  t.deepEqual(first, { ...demo, api_key: (await readFile(demo.api_key_file, 'utf8')).trim() })
  t.deepEqual(await reported(), { ...demo, api_key: null })
})

test('the page of a demo has its suppliers and latest import, and neither its key nor a path', async (t) => {
  const dataDir = await tempFolder(t)
  const { address } = await serveProcess(t, { DATA_DIR: dataDir }, ['--demo'])
  const keyFile = join(dataDir, 'demo-api-key')
  const page = async () => (await fetch(`${address}/`)).text()
  const first = await page()
  for (const part of [
    'database ok',
    '<code>LEVANTE</code>',
    '<code>DEMO</code>',
    '<code>npm run demo</code>',
  ])
    t.true(first.includes(part), part)
  t.false(first.includes(dataDir) || first.includes((await readFile(keyFile, 'utf8')).trim()))
  const accounts = [gasAccount('DEMO', 'A'), { ...gasAccount('DEMO', 'B'), customers: 'nobody' }]
  const file = join(dataDir, 'accounts.ndjson')
  await writeFile(file, accounts.map((each) => JSON.stringify(each)).join('\n'))
  const service = ['--url', address, '--api-key-file', keyFile, '--team', 'Demo team']
  const { code, stderr } = await cli(['import', file, ...service], {})
  t.is(code, 1, stderr)
  t.true((await page()).includes('The latest import is finished: 1 created, 1 refused.'))
})

test('the demo prints at most eight lines with its address, key file and next steps, and no key', async (t) => {
  const dataDir = await tempFolder(t)
  const child = spawnCli(['serve', '--demo'], { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const ended = outcomeOf(child)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const text = await untilPrinted(child.stderr, 'tutorials/from-a-csv-export/\n')
  t.true(text.trimEnd().split('\n').length <= 8, text)
  t.true(text.includes(`in ${join(dataDir, 'demo-api-key')} `), text)
  const [, address = ''] = /Serving (\S+)/.exec(text) ?? []
  t.true(text.includes(`: npm run demo -- --url ${address} --data ${dataDir} (`), text)
  const key = (await readFile(join(dataDir, 'demo-api-key'), 'utf8')).trim()
  t.false(text.includes(key))
  const pages = text.match(/http:\S+\/docs\/\S*/g) ?? []
  t.is(pages.length, 1)
  for (const page of pages) t.is((await fetch(page)).status, 200, page)
})

test('an interrupted demo, or one without its database or key, is completed', async (t) => {
  const [dataDir, operator] = [await tempFolder(t), operatorOf()]
  const keyIn = async (on: OperatorUseCases): Promise<string> => {
    await ensureDemo(on, dataDir)
    return readFile(join(dataDir, 'demo-api-key'), 'utf8')
  }
  await answer(operator.createOrganisation({ code: 'DEMO' }))
  const first = await keyIn(operator)
  await rm(join(dataDir, 'demo-api-key'))
  const second = await keyIn(operator)
  t.not(second, first)
  const another = operatorOf()
  const third = await keyIn(another)
  t.not(third, second)
  t.is(await keyIn(another), third)
})

test('the demo does not change a service that has organisations', async (t) => {
  const operator = operatorOf()
  await answer(operator.createOrganisation({ code: 'ACME' }))
  t.is(await ensureDemo(operator, await tempFolder(t)), undefined)
  t.deepEqual(await answer(operator.listApiKeys()), [])
})

test('serve --demo refuses a database server', async (t) => {
  const { code, stderr } = await cliInProcess(['serve', '--demo'], {
    DATABASE_URL: 'mysql://u:p@127.0.0.1:1/imports',
    TOKEN_SIGNING_KEY: Buffer.alloc(32, 1).toString('base64'),
  })
  t.is(code, 2)
  t.regex(stderr, /leave DATABASE_URL out/)
})
