import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ava, { type ExecutionContext } from 'ava'
import { importing, mixedLines, startImportServer, type ImportServer } from './support/importing.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { filesBelow, textOf } from '../support/repository.js'

const test = ava.serial

let server: ImportServer
ava.before(async () => {
  server = await startImportServer()
})
ava.after.always(() => server.stop())

/** An organisation with its key in a file, and a file of accounts, the last of them with a fault. */
const atHome = async (t: ExecutionContext) => {
  const world = await importing(t, server)
  const key = await world.put('key', `${world.database.apiKey}\n`)
  const file = await world.put('a.ndjson', mixedLines(world.database.supplier, 5).join('\n'))
  return { ...world, key, file }
}

test('variables set address, key file and team', async (t) => {
  const { key, file, database } = await atHome(t)
  const variables = {
    ACCOUNT_IMPORT_URL: server.address,
    ACCOUNT_IMPORT_API_KEY_FILE: key,
    ACCOUNT_IMPORT_TEAM: database.team,
  }
  t.like(JSON.parse((await cliInProcess(['import', file, '--json'], variables)).stdout), { created: 4 })
  const wrong = await cliInProcess(['status', 'X'], { ...variables, ACCOUNT_IMPORT_URL: 'ftp://x' })
  t.is(wrong.code, 2)
  t.regex(wrong.stderr, /ACCOUNT_IMPORT_URL is not valid.*https:\/\/import\.example/)
})

test('options precede variables, and the variable with a key that with the path of its file', async (t) => {
  const { key, database } = await atHome(t)
  const status = ['status', database.supplier]
  const variables = {
    ACCOUNT_IMPORT_URL: 'http://127.0.0.1:1',
    ACCOUNT_IMPORT_API_KEY: database.apiKey,
    ACCOUNT_IMPORT_API_KEY_FILE: 'no-such-file',
  }
  t.is((await cliInProcess([...status, '--url', server.address], variables)).code, 0)
  const wrong = { ACCOUNT_IMPORT_URL: server.address, ACCOUNT_IMPORT_API_KEY: 'aik_wrong' }
  t.is((await cliInProcess(status, wrong)).code, 2)
  t.is((await cliInProcess([...status, '--api-key-file', key], wrong)).code, 0)
})

test('one service has one name, with or without a slash, in either case', async (t) => {
  const { key, database } = await atHome(t)
  const status = ['status', database.supplier, '--api-key-file', key]
  const upper = server.address.replace('http', 'HTTP')
  for (const name of [`${server.address}/`, `${upper}//`]) {
    t.is((await cliInProcess([...status, '--url', name], {})).code, 0, name)
    t.is((await cliInProcess(status, { ACCOUNT_IMPORT_URL: ` ${name}\n` })).code, 0, name)
  }
})

test('a variable is read as a file is: without white space around it, and a blank one is not set', async (t) => {
  const { key, database } = await atHome(t)
  const status = ['status', database.supplier]
  const url = { ACCOUNT_IMPORT_URL: server.address }
  const padded = { ...url, ACCOUNT_IMPORT_API_KEY: `${database.apiKey}\r\n` }
  t.is((await cliInProcess(status, padded)).code, 0)
  const blank = { ...url, ACCOUNT_IMPORT_API_KEY: ' \n', ACCOUNT_IMPORT_API_KEY_FILE: ` ${key}\n` }
  t.is((await cliInProcess(status, blank)).code, 0)
  const unnamed = await cliInProcess(status, { ACCOUNT_IMPORT_URL: ' \n' })
  t.is(unnamed.code, 2)
  t.regex(unnamed.stderr, /^Name the service/)
  t.regex((await cliInProcess(status, url)).stderr, /^No API key/)
})

test('a proxy that is not used is named where the service is not reached', async (t) => {
  const status = ['status', 'LEVANTE', '--url', 'https://import.invalid', '--api-key', 'aik_x']
  const said = async (more: Readonly<Record<string, string>>): Promise<string> =>
    (await cliInProcess(status, more)).stderr
  const unused = /The proxy of (\S+) was not used: .*set NODE_USE_ENV_PROXY=1 too/
  t.is(unused.exec(await said({ HTTPS_PROXY: 'http://127.0.0.1:1' }))?.[1], 'HTTPS_PROXY')
  t.is(unused.exec(await said({ https_proxy: 'http://127.0.0.1:1' }))?.[1], 'https_proxy')
  for (const hosts of ['*', 'import.invalid', 'x.example, .invalid'])
    t.notRegex(await said({ HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: hosts }), unused, hosts)
  t.notRegex(await said({ HTTP_PROXY: 'http://127.0.0.1:1' }), unused)
})

test('no output of a command is a file that it reads, for any option', async (t) => {
  const { key, file, put, path, database } = await atHome(t)
  const variables = {
    ACCOUNT_IMPORT_URL: server.address,
    ACCOUNT_IMPORT_API_KEY_FILE: key,
    ACCOUNT_IMPORT_TEAM: database.team,
  }
  const controls = await put('c.json', '{}')
  const settings = await put('s.json', '{}')
  await mkdir(path('job'))
  const own = await put('job/own.csv', 'a\n1\n')
  const mapping = await put(
    'job/m.sql',
    "-- source own = own.csv; delimiter ';'; key a\nSELECT a AS external_account_number, a AS _a FROM own",
  )
  const kept = [key, file, controls, settings, own, mapping]
  const before = await Promise.all(kept.map((each) => readFile(each, 'utf8')))
  const outputs = (names: readonly string[], target: string) => names.map((name) => [`--${name}`, target])
  const of = (command: readonly string[], names: readonly string[], targets: readonly string[]) =>
    targets.flatMap((target) => outputs(names, target).map((option) => [...command, ...option]))
  const withKey = ['--url', server.address, '--api-key-file', key]
  for (const args of [
    ...of(['import', file, ...withKey], ['report', 'failures', 'errors', 'mapping'], [key, file]),
    ...of(['import', file], ['report', 'mapping'], [key, join(path('job'), '..', 'key')]),
    ...of(['process', '--supplier', database.supplier], ['errors', 'mapping'], [key]),
    ...of(['validate', file, '--settings', settings], ['report', 'failures', 'errors'], [settings, file]),
    ...of(['reconcile', file, '--supplier', 'X', '--controls', controls], ['report'], [controls, key, file]),
    ...of(['convert', mapping], ['out', 'report', 'errors', 'failures', 'rejects'], [own, mapping]),
    ['validate', file, '--report', path('x'), '--errors', path('x')],
  ]) {
    const { code, stderr } = await cliInProcess(args, variables)
    t.is(code, 2, args.join(' '))
    t.regex(stderr, /input and outputs have to be different files/, args.join(' '))
  }
  t.deepEqual(await Promise.all(kept.map((each) => readFile(each, 'utf8'))), before)
})

test('each option and argument for a file has a file type, so that every command compares it', (t) => {
  const untyped = ['packages/cli/src', 'packages/server/src/cli']
    .flatMap((folder) => filesBelow(folder))
    .filter((path) => path.endsWith('.ts'))
    .flatMap(
      (path) =>
        textOf(path).match(
          /(?:\.(?:option|argument)|new (?:Option|Argument))\(\s*'[^']*<file(?:\.\.\.)?>'/g,
        ) ?? [],
    )
  t.deepEqual(untyped, [])
})
