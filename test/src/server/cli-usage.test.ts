import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { cli } from '../support/cli-process.js'
import { root, textOf } from '../support/repository.js'
import { tempFolder } from '../support/temp-folder.js'
import { codeOf, shell } from './support/shell.js'

const run = (line: string) => cliInProcess(line.split(' ').filter(Boolean), {})

test('wrong usage is refused by name before anything is opened', async (t) => {
  const dataDir = join(await tempFolder(t), 'data')
  const { run: typed, json } = await shell(t, { DATA_DIR: dataDir })
  for (const line of [
    'organisation create',
    'organisation create A B',
    'nonsense',
    'organisation nonsense',
    'supplier create S1',
    'supplier set-status S1 closed',
    'supplier configure S1',
    'supplier configure S1 --migration-emails maybe',
    'supplier configure S1 --email-language Spanish',
    'outbox list --state lost',
    'outbox retry',
    'outbox retry some-id --parked',
    'outbox retry some-id --supplier S1',
    'outbox retry --supplier S1',
    'supplier configure S1 --severity x',
    'supplier configure S1 --open-list sales_chanel',
    'supplier configure S1 --retention-days 00',
    'supplier configure S1 --close-list sales_channel=A',
    'api-key create --organisation A --scope everything',
    'api-key create --organisation A --expires 2030-02-30',
    'api-key create --organisation A --expires 2020-01-01',
    'migrate --rollback',
    'team list --nonsense',
    'help nope',
    'help supplier nope',
    'validate accounts.ndjson --market XX',
    'supplier configure S1 --market XX',
  ]) {
    t.is(codeOf(await json(line, 2)), 'usage', line)
    const { code, stdout, stderr } = await typed(line)
    t.deepEqual([code, stdout], [2, ''], line)
    t.regex(stderr, /error: /, line)
  }
  t.false(existsSync(dataDir))
})

test('wrong usage ends the process with 2', async (t) => {
  const { code, stdout, stderr } = await cli(['organisation', 'create'], {})
  t.deepEqual([code, stdout], [2, ''])
  t.regex(stderr, /^error: missing required argument 'code'/)
})

test('help and version exit with 0, and no command at all does not', async (t) => {
  t.regex((await run('supplier configure --help')).stdout, /--close-list/)
  for (const flag of ['--version', '-v']) t.regex((await run(flag)).stdout, /^\d+\.\d+\.\d+\n$/)
  t.is((await run('')).code, 2)
})

const reading = [
  'organisation list',
  'supplier list',
  'supplier show LEVANTE',
  'account show LEVANTE A-1',
  'documents missing LEVANTE',
  'team list',
  'api-key list',
  'outbox list',
  'audit list',
  'audit verify',
  'audit head',
  'encryption status',
  'export-subject LEVANTE A-1',
  'verify',
  'migrate --status',
]

const changing = [
  'supplier set-status LEVANTE paused',
  'supplier configure LEVANTE --market none',
  'api-key revoke some-id',
  'skip LEVANTE A-1',
  'outbox retry --parked',
]

test('a folder without data is changed only by commands that create, and each other command names the variable for the folder', async (t) => {
  const folder = await tempFolder(t)
  const [missing, empty] = [join(folder, 'missing'), join(folder, 'empty')]
  await mkdir(empty, { mode: 0o700 })
  for (const line of [...reading, ...changing]) {
    for (const dataDir of [missing, empty]) {
      const { code, stdout, stderr } = await cliInProcess(line.split(' '), { DATA_DIR: dataDir })
      t.deepEqual([code, stdout], [3, ''], line)
      t.regex(stderr, /^There is no data in the folder \S+\. Name[^]*DATA_DIR/, line)
      t.true(stderr.includes(` ${dataDir}. `), stderr)
    }
    t.deepEqual([await readdir(folder), await readdir(empty)], [['empty'], []], line)
    const { json } = await shell(t, { DATA_DIR: missing })
    t.is(codeOf(await json(line, 3)), 'no_data', line)
  }
})

test('a missing database in DATABASE_URL is named, and no folder is created beside it', async (t) => {
  const folder = await tempFolder(t)
  const file = join(folder, 'imports.sqlite')
  const environment = { DATA_DIR: join(folder, 'data'), DATABASE_URL: `sqlite:${file}` }
  const commands = await shell(t, environment)
  const { code, stderr } = await commands.run('team list')
  t.is(code, 3)
  t.true(stderr.startsWith(`There is no database ${file}. Name the file that has it in DATABASE_URL.`))
  t.deepEqual(await readdir(folder), [])
  t.is((await commands.run('team create North')).code, 0)
  t.is((await commands.run('team list')).stdout, 'NAME   FOR\nNorth  all organisations\n')
})

/** Every command that does something, as the reference names it. */
const leaves = [...textOf('docs/reference/command-line.md').matchAll(/^## account-import (.*)$/gm)].map(
  ([, path = '']) => path,
)

const helpOf = async (path: string): Promise<string> => (await run(`${path} --help`)).stdout

test('the help of every command has examples, with options that the command has', async (t) => {
  t.true(leaves.length > 20)
  for (const path of leaves) {
    const help = await helpOf(path)
    const [, examples = ''] = help.split('\nExamples:\n')
    const lines = examples.split('\n').filter((line) => line.includes(`account-import ${path}`))
    t.true(lines.length > 0, path)
    const known = new Set([...help.matchAll(/--[a-z-]+/g)].map(([name]) => name))
    const own = lines.flatMap((line) =>
      (line.split(`account-import ${path}`)[1] ?? '').split(/[|<>;]/, 1)[0]?.match(/--[a-z-]+/g),
    )
    for (const name of own) if (name != null) t.true(known.has(name), `${path} ${name}`)
    t.true(help.startsWith(`Usage: account-import ${path}`), path)
  }
})

test('the help of the program names all subcommands', async (t) => {
  const { stdout } = await run('--help')
  for (const path of leaves) for (const word of path.split(' ')) t.regex(stdout, new RegExp(`\\b${word}\\b`))
  t.regex(stdout, /supplier .*\n +create, set-status, configure, show, list\n/)
})

test('help COMMAND prints the help of the command', async (t) => {
  t.like(await run('help supplier create'), { code: 0, stdout: await helpOf('supplier create') })
  const unknown = await run('help nope')
  t.deepEqual([unknown.code, unknown.stdout], [2, ''])
  t.regex(unknown.stderr, /unknown command 'nope'/)
})

test('explain prints the documentation of a code, and similar codes for an unknown one', async (t) => {
  const told = await run('explain invalid_phone_number')
  t.is(told.code, 0)
  t.regex(
    told.stdout,
    /^invalid_phone_number\n[^]*^How to fix it\n1\. [^]*^Example\n[^]*customers\.N\.mobile/m,
  )
  const { stdout } = await run('explain invalid_phone_number --json')
  t.like(JSON.parse(stdout), { code: 'invalid_phone_number', related: ['doubtful_phone_number'] })
  const balance = await run('explain balance_mismatch_on_ledger_balance')
  t.regex(balance.stdout, /^ledgers\.N\.ledger_balance\n +Euros now: .*negative is debt\. Example: 6\.5$/m)
  const { stdout: json } = await run('explain non_positive_payment_amount --json')
  const { attr, fields } = JSON.parse(json) as Record<'attr' | 'fields', readonly Record<string, string>[]>
  t.deepEqual(
    fields.map((field) => field['attr']),
    attr as readonly unknown[] as string[],
  )
  t.true(fields.every((field) => field['meaning']?.startsWith('Euros, tax included')))
  const unknown = await run('explain phone')
  t.deepEqual([unknown.code, unknown.stdout], [2, ''])
  t.regex(unknown.stderr, /^There is no code phone\. Similar ones: .*invalid_phone_number/)
})

/** The packages that a command loads: those of the scripts that V8 counts, and of the sources of each bundled one. */
const loadedBy = async (t: ExecutionContext, ...args: readonly string[]) => {
  const folder = await tempFolder(t)
  const coverage = join(folder, 'coverage')
  const { code } = await cli(args, { NODE_V8_COVERAGE: coverage, DATA_DIR: join(folder, 'data') })
  const [counted] = await readdir(coverage)
  const { result } = JSON.parse(await readFile(join(coverage, counted ?? ''), 'utf8')) as {
    result: { url: string }[]
  }
  const paths = result.flatMap(({ url }) => {
    const map = url.startsWith('file:') ? `${fileURLToPath(url)}.map` : ''
    return existsSync(map) ? (JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }).sources : [url]
  })
  const names = paths.map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? '')
  return { code, loaded: [...new Set(names)] }
}

const ofService = ['minio', 'nodemailer', 'koa', 'graphql']

for (const [title, args, expected, loads, loadsNot] of [
  ['help loads the command line and nothing of the service', ['--help'], 0, ['commander'], undefined],
  [
    'validate loads no database, vendor, storage, mail or server',
    ['validate', '/nowhere/at/all'],
    3,
    ['io-ts'],
    ['knex', 'lodash', 'mysql2', 'libsql', 'inversify', ...ofService],
  ],
  [
    'an operator command loads the database, and neither the server nor unconfigured parts',
    ['organisation', 'list'],
    3,
    ['knex'],
    ofService,
  ],
] as const)
  test.serial(title, async (t) => {
    const { code, loaded } = await loadedBy(t, ...args)
    t.is(code, expected)
    if (loadsNot === undefined)
      t.deepEqual(
        loaded.filter((name) => name !== 'commander' && name !== ''),
        [],
      )
    else t.deepEqual([...loads, ...loadsNot].filter((name) => loaded.includes(name)).toSorted(), [...loads])
  })

const tool = 'packages/cli'

test('the command line alone has the commands for files and the API, and contains no server', async (t) => {
  const main = join(root, tool, 'bundle/main.js')
  const { code, stdout } = await cli(['--help'], {}, main)
  t.is(code, 0)
  const commands = [...stdout.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name)
  t.deepEqual(
    commands,
    'validate convert import stage process run status undo reconcile explain help'.split(' '),
  )
  t.is((await cli(['serve'], {}, main)).code, 2)
  const bundled = textOf(`${tool}/bundle/THIRD-PARTY-LICENSES.txt`).matchAll(/^(\S+) \d\S* \(/gm)
  t.deepEqual(
    [...bundled].map(([, name]) => name),
    ['commander', 'fp-ts', 'io-ts', 'libphonenumber-js'],
  )
})

test('the program of the command line runs that of the server when the server is installed beside it', async (t) => {
  const { code, stdout } = await cli(['serve', '--help'], {}, join(root, tool, 'bin/account-import.js'))
  t.is(code, 0)
  t.regex(stdout, /^Usage: account-import serve/)
})
