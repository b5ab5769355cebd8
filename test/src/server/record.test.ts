import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openService } from '@account-import/server'
import test, { type ExecutionContext } from 'ava'
import { bin, outcomeOf } from '../support/cli-process.js'
import { filesBelow, textOf } from '../support/repository.js'
import { tempFolder } from '../support/temp-folder.js'
import { commandPaths } from './support/command-paths.js'
import { shell } from './support/shell.js'
import { configOf } from './support/started.js'

type Entry = Readonly<{
  what: string
  who: string
  subject?: string
  block: number | null
  id: string
}>

const begun = async (t: ExecutionContext) => {
  const commands = await shell(t)
  const { environment, run } = commands
  await run('organisation create ACME --operator alice')
  await run('supplier create LEVANTE --organisation ACME')
  await run('skip LEVANTE N-1 --operator bob')
  const seal = async () => {
    const service = await openService(configOf(environment))
    const sealed = await service.useCases.audit.seal(1000)
    await service.close()
    return sealed
  }
  return { ...commands, folder: environment['DATA_DIR'] ?? '', seal }
}

test('audit list names operators, and shows unsealed events', async (t) => {
  const { run, json, seal } = await begun(t)
  const waiting = await run('audit list --supplier LEVANTE --account N-1')
  t.is(waiting.code, 0, waiting.stderr)
  t.regex(waiting.stdout, /unsealed .*skipped .*operator bob/)
  t.is((await seal())._tag, 'Right')
  const entries = await json<Entry[]>('audit list')
  t.true(entries.every(({ block, id }) => block !== null && /^[0-9a-f]{32}$/.test(id)))
  t.true(entries.some(({ who }) => who === 'operator alice'))
  t.is((await run('audit list --since 2099-01-01')).stdout, '')
})

test('audit verify accepts an unchanged log, and reports heads that no chain has', async (t) => {
  const { folder, run, seal } = await begun(t)
  await seal()
  const head = await run('audit head')
  t.regex(head.stdout, /^ACME \d+ [\w-]{16}:[\w-]{43}$/m)
  const file = join(folder, 'documents', 'heads.txt')
  await writeFile(file, head.stdout)
  t.is((await run(`audit verify --head ${file}`)).code, 0)
  await writeFile(file, `ACME 9 ${'f'.repeat(64)}\n`)
  const cut = await run(`audit verify --head ${file}`)
  t.is(cut.code, 1)
  t.regex(cut.stdout, /^head_missing ACME 9 f+\n$/)
  t.like(JSON.parse((await run('audit verify --organisation ACME --json')).stdout), { breaks: [] })
  await writeFile(file, 'something else\n')
  for (const wrong of [
    `verify --head ${file}`,
    `verify --head ${join(folder, 'nothing')}`,
    'list --account N-1',
    'list --since yesterday',
  ])
    t.is((await run(`audit ${wrong}`)).code, 2, wrong)
})

test('the key of the data folder is rotated, and audit verify names the removed one', async (t) => {
  const { folder, run, seal } = await begun(t)
  await seal()
  const file = join(folder, 'audit-key')
  const old = (await readFile(file, 'utf8')).trim()
  const added = 'n'.repeat(44)
  await writeFile(file, `${added}\n${old}\n`)
  await run('skip LEVANTE N-2')
  await seal()
  t.is((await run('audit verify')).code, 0)
  await writeFile(file, `${added}\n`)
  const { code, stdout } = await run('audit verify --organisation ACME')
  t.is(code, 1)
  t.regex(
    stdout,
    /^key_missing ACME 1 [\w-]{16} \(the first block of a key that AUDIT_KEY does not have\)\n$/,
  )
  t.false(stdout.includes(old))
  await writeFile(file, 'short\n')
  t.is((await run('audit verify')).code, 3)
})

test('verify makes no key of the data folder, and says that it is missing', async (t) => {
  const { folder, run, seal } = await begun(t)
  await seal()
  const file = join(folder, 'audit-key')
  t.is((await run('verify')).code, 0)
  await rm(file)
  const { code, stdout } = await run('verify')
  t.is(code, 1)
  t.regex(stdout, /^audit_key_missing\tACME\t/m)
  await t.throwsAsync(readFile(file), { code: 'ENOENT' })
})

/** Commands that neither change anything nor show personal data, and commands through the API, which records them. */
const unrecorded =
  'serve, organisation list, supplier show, supplier list, team list, api-key list, webhook list, audit list, audit verify, audit head, encryption status, verify, validate, import, stage, process, status, reconcile, convert, undo, run list, run show, run failures, run open, run dismiss, run finish, run undo, explain, help'

/** The arguments of the others, in the order in which they are run. One that is refused is recorded too. And how the
 * entry calls the command. */
const given: Readonly<Record<string, readonly [args: string, entry: string]>> = {
  migrate: ['', 'migrate'],
  'organisation create': ['ACME', 'createOrganisation'],
  'supplier create': ['LEVANTE --organisation ACME', 'createSupplier'],
  'supplier set-status': ['LEVANTE paused', 'setSupplierStatus'],
  'supplier configure': ['LEVANTE --check-documents warn', 'configureSupplier'],
  'team create': ['North', 'createTeam'],
  'team bind': ['North --organisation ACME', 'bindTeam'],
  'team unbind': ['North --organisation ACME', 'unbindTeam'],
  'api-key create': ['--organisation ACME', 'createApiKey'],
  'api-key rotate': ['nobody', 'rotateApiKey'],
  'api-key revoke': ['nobody', 'revokeApiKey'],
  'webhook add': ['--organisation ACME https://hooks.example', 'addWebhook'],
  'webhook test': ['nobody', 'testWebhook'],
  'webhook rotate': ['nobody', 'rotateWebhook'],
  'webhook remove': ['nobody', 'removeWebhook'],
  skip: ['LEVANTE N-1', 'setSkipped'],
  'account show': ['LEVANTE N-1', 'showAccount'],
  'export-subject': ['LEVANTE N-1', 'exportSubject'],
  erase: ['LEVANTE N-1 --yes', 'eraseSubject'],
  'documents missing': ['LEVANTE', 'missingDocuments'],
  'outbox list': ['', 'listEmails'],
  'outbox retry': ['--parked', 'retryParkedEmails'],
  'encryption rewrap': ['', 'rewrapDataKeys'],
  'organisation disable': ['ACME', 'disableOrganisation'],
  'organisation enable': ['ACME', 'enableOrganisation'],
  'organisation revoke': ['ACME', 'revokeOrganisation'],
}

test('every operator command is recorded except those that are listed here', async (t) => {
  const named = [...unrecorded.split(', '), ...Object.keys(given)]
  t.deepEqual(commandPaths.toSorted(), named.toSorted(), 'a new command is recorded, or says here why not')
  const { run, json } = await shell(t, { ENCRYPTION_KEYS: randomBytes(32).toString('base64') })
  const said = new Map<string, string>()
  for (const [path, [args]] of Object.entries(given)) {
    const who = path.replaceAll(' ', '-')
    said.set(path, (await run(`${path} ${args} --operator ${who}`.replaceAll('  ', ' '))).stderr)
  }
  const entries = await json<Entry[]>('audit list')
  for (const [path, [, name]] of Object.entries(given)) {
    const own = entries
      .filter(({ who }) => who === `operator ${path.replaceAll(' ', '-')}`)
      .filter(({ subject }) => subject?.split(' ')[0] === name)
      .map(({ what }) => what)
    t.true(own.includes('command_begun'), `${path}: ${said.get(path)}`)
    t.true(own.includes('command_done') || own.includes('command_refused'), path)
  }
})

test('migrate records the names of its migrations', async (t) => {
  const { run, json } = await shell(t)
  const { applied } = await json<{ applied: string[] }>('migrate')
  t.true(applied.length > 0)
  await run('migrate')
  const subjects = (await json<Entry[]>('audit list'))
    .filter(({ what, subject }) => what === 'command_done' && subject?.startsWith('migrate') === true)
    .map(({ subject }) => subject)
  t.deepEqual(subjects, [['migrate', ...applied].join(' '), 'migrate'])
})

test('every event on the page of the log is emitted by some source', (t) => {
  const events = [
    ...textOf('docs/reference/log.md').matchAll(/^- `(\w+)` \((?:debug|info|warn|error|fatal)/gm),
  ].map(([, event = '']) => event)
  t.true(events.length > 20)
  const written = ['packages/cli/src', 'packages/server/src']
    .flatMap((folder) => filesBelow(folder))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('/log/log-events.ts'))
    .concat('packages/adapter-http-koa/src/context.ts')
    .map(textOf)
    .join('\n')
  t.deepEqual(
    events.filter((event) => !written.includes(`'${event}'`)),
    [],
  )
})

/** Runs its arguments as a user without a name: root by the system call, others in a namespace of their own. */
const asNameless =
  process.getuid?.() === 0
    ? ['setpriv', '--reuid=12345', '--regid=12345', '--clear-groups']
    : ['unshare', '--user', '--map-user=12345']

const isPossible = spawnSync(asNameless[0] ?? '', [...asNameless.slice(1), 'true']).status === 0
if (!isPossible && process.env['REQUIRE_SERVERS'] === '1')
  throw new Error('No process can run as another user, and REQUIRE_SERVERS=1 asks for it')
if (!isPossible) console.error('No process can run as another user: a test is left out (util-linux, root)')

if (isPossible)
  test.serial('commands of a user without a name are recorded with the user number', async (t) => {
    const folder = await tempFolder(t)
    await chmod(folder, 0o777)
    const { environment, json } = await shell(t, { DATA_DIR: join(folder, 'data') })
    const [program, ...args] = [...asNameless, process.execPath, bin, 'organisation', 'create', 'ACME']
    const env = { PATH: process.env['PATH'] ?? '', ...environment }
    const created = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    t.like(await outcomeOf(created), { code: 0, stderr: 'Organisation ACME was created.\n' })
    const who = (await json<Entry[]>('audit list'))
      .filter(({ subject }) => subject === 'createOrganisation ACME')
      .map((entry) => entry.who)
    t.deepEqual(who, ['operator uid 12345', 'operator uid 12345'])
  })
