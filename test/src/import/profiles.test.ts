import { lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
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

/** An organisation with its key in a file, and a home folder. */
const atHome = async (t: ExecutionContext) => {
  const world = await importing(t, server)
  const { put, path, database } = world
  const environment = { HOME: path('home') }
  const key = await put('key', `${database.apiKey}\n`)
  const file = await put('a.ndjson', mixedLines(database.supplier, 5).join('\n'))
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    cliInProcess(args, { ...environment, ...more })
  const login = ['login', '--url', server.address, '--api-key-file', key]
  return { ...world, environment, key, file, run, login }
}

test('login writes address, key file and team for its owner alone, and commands then need none of them', async (t) => {
  const { run, login, path, key, file, database } = await atHome(t)
  const { code, stdout, stderr } = await run([...login, '--team', database.team, '--json'])
  t.is(code, 0, stderr)
  const written = path('home/.config/account-import/profiles/default.json')
  t.like(JSON.parse(stdout), { path: written, profile: 'default', organisation: database.organisation })
  t.is((await stat(written)).mode & 0o777, 0o600)
  const profile = await readFile(written, 'utf8')
  t.deepEqual(JSON.parse(profile), { url: server.address, apiKeyFile: key, team: database.team })
  t.false(profile.includes(database.apiKey))
  t.is((await run(['status', database.supplier])).code, 0)
  const imported = await run(['import', file, '--json'])
  t.is(imported.code, 1, imported.stderr)
  t.like(JSON.parse(imported.stdout), { created: 4, failed: 1 })
  t.is((await run(['process', '--supplier', database.supplier])).code, 0)
})

test('login refuses a wrong key, an unknown team and a key on the standard input, and writes nothing', async (t) => {
  const { run, login, path, put, database } = await atHome(t)
  const wrong = await put('wrong', 'aik_wrong')
  t.is((await run(['login', '--url', server.address, '--api-key-file', wrong])).code, 2)
  const team = await run([...login, '--team', database.team.slice(1)])
  t.is(team.code, 2)
  t.regex(team.stderr, /Did you mean/)
  t.is((await run(['login', '--url', server.address, '--api-key-file', '-'])).code, 2)
  await t.throwsAsync(stat(path('home/.config')))
})

test('--profile and its variable choose a profile, and a missing or broken one is refused', async (t) => {
  const { run, login, path, environment, database } = await atHome(t)
  t.is((await run([...login, '--profile', 'pilot'], { XDG_CONFIG_HOME: path('xdg') })).code, 0)
  const written = path('xdg/account-import/profiles/pilot.json')
  t.true((await stat(written)).isFile())
  const status = ['status', database.supplier]
  const xdg = { XDG_CONFIG_HOME: path('xdg') }
  t.is((await run([...status, '--profile', 'pilot'], xdg)).code, 0)
  // A named profile precedes variables.
  const elsewhere = { ACCOUNT_IMPORT_URL: 'http://127.0.0.1:1', ACCOUNT_IMPORT_API_KEY: 'aik_wrong' }
  t.is((await run([...status, '--profile', 'pilot'], { ...xdg, ...elsewhere })).code, 0)
  t.is((await run(status, { ...xdg, ACCOUNT_IMPORT_PROFILE: 'pilot' })).code, 0)
  t.like(await run(status, xdg), { code: 2 })
  for (const name of ['nobody', '../pilot'])
    t.is((await run([...status, '--profile', name], xdg)).code, 2, name)
  const both = await run([...status, '--profile', 'pilot', '--url', 'http://127.0.0.1:1'], xdg)
  t.is(both.code, 2)
  t.regex(both.stderr, /another address than --url/)
  await writeFile(written, '{}')
  t.regex((await run([...status, '--profile', 'pilot'], xdg)).stderr, /pilot\.json is no profile/)
  t.truthy(environment.HOME)
})

test('variables set address, key file and team, and the key of a profile is sent to its own address only', async (t) => {
  const { run, login, key, file, database } = await atHome(t)
  const variables = {
    ACCOUNT_IMPORT_URL: server.address,
    ACCOUNT_IMPORT_API_KEY_FILE: key,
    ACCOUNT_IMPORT_TEAM: database.team,
  }
  t.like(JSON.parse((await run(['import', file, '--json'], variables)).stdout), { created: 4 })
  const wrong = await run(['status', 'X'], { ...variables, ACCOUNT_IMPORT_URL: 'ftp://x' })
  t.is(wrong.code, 2)
  t.regex(wrong.stderr, /not valid.*https:\/\/import\.example/)
  t.is((await run(login)).code, 0)
  const other = await run(['status', database.supplier, '--url', `${server.address}/other`])
  t.is(other.code, 2)
  t.regex(other.stderr, /^No API key/)
  // Variables precede the default profile.
  const dead = await run(['status', database.supplier], {
    ...variables,
    ACCOUNT_IMPORT_URL: 'http://127.0.0.1:1',
  })
  t.is(dead.code, 3)
})

test('one service has one name, with or without a slash, in either case, in options, variables and profiles', async (t) => {
  const { run, login, key, path, database } = await atHome(t)
  const status = ['status', database.supplier]
  const upper = server.address.replace('http', 'HTTP')
  const names = [server.address, `${server.address}/`, `${upper}//`]
  for (const name of names) {
    t.is((await run(['login', '--url', name, '--api-key-file', key])).code, 0)
    const profile = await readFile(path('home/.config/account-import/profiles/default.json'), 'utf8')
    t.like(JSON.parse(profile), { url: server.address })
    for (const other of names) {
      t.is((await run([...status, '--url', other])).code, 0, other)
      t.is((await run(status, { ACCOUNT_IMPORT_URL: ` ${other}\n` })).code, 0, other)
      t.is((await run([...status, '--profile', 'default', '--url', other])).code, 0, other)
    }
  }
  // A profile that an earlier version wrote.
  const written = path('home/.config/account-import/profiles/default.json')
  await writeFile(written, JSON.stringify({ url: `${upper}/`, apiKeyFile: key }))
  t.is((await run([...status, '--url', server.address])).code, 0)
  t.is((await run(login)).code, 0)
})

test('a variable is read as a file is: without white space around it, and a blank one is not set', async (t) => {
  const { run, login, key, file, database } = await atHome(t)
  const status = ['status', database.supplier]
  const url = { ACCOUNT_IMPORT_URL: server.address }
  t.is((await run(status, { ...url, ACCOUNT_IMPORT_API_KEY: `${database.apiKey}\r\n` })).code, 0)
  t.is((await run(status, { ...url, ACCOUNT_IMPORT_API_KEY_FILE: ` ${key}\n` })).code, 0)
  t.is((await run([...login, '--team', database.team])).code, 0)
  const blank = Object.fromEntries(
    ['URL', 'API_KEY', 'API_KEY_FILE', 'TEAM', 'PROFILE'].map((name) => [`ACCOUNT_IMPORT_${name}`, ' \n']),
  )
  const imported = await run(['import', file, '--json'], blank)
  t.like(JSON.parse(imported.stdout), { created: 4 }, imported.stderr)
})

test('the variable of the profile is checked as its option, and login writes through no link', async (t) => {
  const { run, login, path, put, database } = await atHome(t)
  t.is((await run(login)).code, 0)
  const outside = await put('outside.json', 'untouched')
  for (const name of ['../../../outside', 'a/b', '.', 'x'.repeat(65)]) {
    const { code, stderr } = await run(['status', database.supplier], { ACCOUNT_IMPORT_PROFILE: name })
    t.is(code, 2, name)
    t.regex(stderr, /the variable ACCOUNT_IMPORT_PROFILE names no profile\. Use 1 to 64/)
  }
  const linked = path('home/.config/account-import/profiles/linked.json')
  await symlink(outside, linked)
  t.is((await run([...login, '--profile', 'linked'])).code, 0)
  t.is(await readFile(outside, 'utf8'), 'untouched')
  t.false((await lstat(linked)).isSymbolicLink())
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
  const { run, login, key, file, put, path, database } = await atHome(t)
  t.is((await run([...login, '--team', database.team])).code, 0)
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
    const { code, stderr } = await run(args)
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
