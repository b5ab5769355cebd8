import { join } from 'node:path'
import { bundledMarkets } from '@account-import/core'
import test, { type ExecutionContext } from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { cli, type CliEnvironment, type CliOutcome } from '../support/cli-process.js'
import { tempFolder } from '../support/temp-folder.js'

type Json = Record<string, unknown>

/** Command lines on a database of the test's own; arguments are separated by blanks. */
type Shell = Readonly<{
  environment: CliEnvironment
  run(line: string): Promise<CliOutcome>
  /** With `--json`; fails the test unless stdout is exactly one document and the exit code is the one named. */
  json(line: string, code?: number): Promise<Json>
}>

/** In the test's own process, unless each command is to have one of its own. */
const shell = async (t: ExecutionContext, command = cliInProcess): Promise<Shell> => {
  const environment = { DATA_DIR: join(await tempFolder(t), 'data') }
  const run = (line: string): Promise<CliOutcome> => command(line.split(' '), environment)
  return {
    environment,
    run,
    json: async (line, code = 0) => {
      const outcome = await run(`${line} --json`)
      t.is(outcome.code, code, `${line}: ${outcome.stderr}`)
      t.regex(outcome.stdout, /^[^\n]+\n$/)
      t.notRegex(outcome.stderr, /^\s+at /m)
      return JSON.parse(outcome.stdout) as Json
    },
  }
}

const errorOf = (document: Json): Json => document['error'] as Json

test('organisations are created once and listed, by commands one after the other', async (t) => {
  const { json, run } = await shell(t, cli)
  const made = await json('organisation create ACME --name Acme')
  t.like(made, { code: 'ACME', name: 'Acme' })
  t.regex(String(made['created_at']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  t.like(errorOf(await json('organisation create ACME', 2)), { code: 'already_exists' })
  t.deepEqual(await json('organisation list'), [made] as unknown as Json)
  const text = await run('organisation list')
  t.regex(text.stdout, /CODE +NAME +CREATED AT +DISABLED AT\nACME +Acme +/)
})

test('suppliers are created, shown, listed, and their status set', async (t) => {
  const { json, run } = await shell(t)
  await json('organisation create ACME')
  t.like(errorOf(await json('supplier create S1 --organisation NONE', 2)), { code: 'does_not_exist' })
  const made = await json('supplier create S1 --organisation ACME --status paused --document-root in/s1')
  t.deepEqual(made, {
    code: 'S1',
    organisation: 'ACME',
    status: 'paused',
    settings: {
      document_root: 'in/s1',
      migration_emails: false,
      email_language: null,
      retention_days: null,
      severities: {},
      closed_lists: {},
      internal_email_domains: [],
      markets: bundledMarkets.map(({ market }) => market),
    },
  })
  t.like(await json('supplier set-status S1 ongoing'), { code: 'S1', status: 'ongoing' })
  t.like(errorOf(await json('supplier set-status S2 ongoing', 2)), { code: 'does_not_exist' })
  t.like(await json('supplier show S1'), { status: 'ongoing' })
  t.is((await run('supplier show S2')).code, 2)
  t.is(((await json('supplier list')) as unknown as Json[]).length, 1)
  t.regex((await run('supplier show S1')).stdout, /^document root: +in\/s1$/m)
})

test('supplier configure changes what is named and keeps the rest', async (t) => {
  const { json } = await shell(t)
  await json('organisation create ACME')
  await json('supplier create S1 --organisation ACME')
  const first = await json(
    'supplier configure S1 --document-root a/b --migration-emails on --email-language ca --check-documents warn' +
      ' --retention-days 30 --close-list sales_channel=DIRECT,EVENTS:error --close-list tax_type=VAT:warn' +
      ' --internal-email-domain a.example --internal-email-domain b.example --market none',
  )
  t.deepEqual(first['settings'], {
    document_root: 'a/b',
    migration_emails: true,
    email_language: 'ca',
    retention_days: 30,
    severities: { path_does_not_exist_in_file_store: 'warn' },
    closed_lists: {
      sales_channel: { members: ['DIRECT', 'EVENTS'], severity: 'error' },
      tax_type: { members: ['VAT'], severity: 'warn' },
    },
    internal_email_domains: ['a.example', 'b.example'],
    markets: [],
  })
  const second = await json(
    'supplier configure S1 --migration-emails off --email-language auto --open-list tax_type --retention-days off' +
      ' --internal-email-domain none --check-documents off --market ES --market ES',
  )
  t.deepEqual(second['settings'], {
    document_root: 'a/b',
    migration_emails: false,
    email_language: null,
    retention_days: null,
    severities: { path_does_not_exist_in_file_store: 'off' },
    closed_lists: { sales_channel: { members: ['DIRECT', 'EVENTS'], severity: 'error' } },
    internal_email_domains: [],
    markets: ['ES'],
  })
  t.deepEqual(await json('supplier show S1'), second)
  const third = await json('supplier configure S1 --retention-days 0')
  t.is((third['settings'] as Record<string, unknown>)['retention_days'], 0)
})

test('supplier configure refuses settings that are not valid, names them all, and changes nothing', async (t) => {
  const { json } = await shell(t)
  await json('organisation create ACME')
  const before = await json('supplier create S1 --organisation ACME')
  const error = errorOf(
    await json(
      'supplier configure S1 --severity invalid=off --severity nonsense=warn --close-list vendor=X:error',
      2,
    ),
  )
  t.is(error['code'], 'input_not_valid')
  t.is((error['errors'] as Json[]).length, 3)
  t.deepEqual(await json('supplier show S1'), before)
})

test('operations teams are created once and listed', async (t) => {
  const { json } = await shell(t)
  t.deepEqual(await json('team create North'), { name: 'North' })
  t.like(errorOf(await json('team create North', 2)), { code: 'already_exists' })
  t.deepEqual(await json('team list'), [{ name: 'North', organisations: [] }] as unknown as Json)
})

test('API keys are shown once, listed without their secrets, and revoked', async (t) => {
  const { json, run } = await shell(t)
  await json('organisation create ACME')
  t.like(errorOf(await json('api-key create --organisation NONE', 2)), { code: 'does_not_exist' })
  const made = await json(
    'api-key create --organisation ACME --scope read --scope stage --expires 2099-01-02',
  )
  t.like(made, { organisation: 'ACME', scopes: ['read', 'stage'], expires_at: '2099-01-02T00:00:00Z' })
  t.regex(String(made['api_key']), new RegExp(`^aik_${String(made['id'])}_`))
  const { api_key: secret, ...shown } = made
  t.deepEqual(await json('api-key list'), [shown] as unknown as Json)
  t.false((await run('api-key list')).stdout.includes(String(secret)))
  t.deepEqual(await json(`api-key revoke ${String(made['id'])}`), { id: made['id'], revoked: true })
  t.like(errorOf(await json('api-key revoke nothing', 2)), { code: 'does_not_exist' })
  const [record] = (await json('api-key list')) as unknown as Json[]
  t.regex(String(record?.['revoked_at']), /^20/)
})

test('a key ends after 365 days unless it says when or never, is listed by its name, and tells if it may do everything', async (t) => {
  const { environment, run } = await shell(t)
  await run('organisation create ACME')
  const made = async (options: string) => {
    const { stdout, stderr } = await cliInProcess(
      ['api-key', 'create', '--organisation', 'ACME', '--json', ...options.split(' ').filter(Boolean)],
      environment,
    )
    return { key: JSON.parse(stdout) as Json, stderr }
  }
  const usual = await made('')
  const days = (Date.parse(String(usual.key['expires_at'])) - Date.now()) / 86_400_000
  t.true(days > 364.9 && days <= 365, `${days} days`)
  t.regex(usual.stderr, /no --scope was given.*stage/)
  const narrow = await made('--scope read --expires never --name Saturday')
  t.like(narrow.key, { name: 'Saturday', scopes: ['read'], expires_at: null })
  t.notRegex(narrow.stderr, /--scope/)
  t.regex((await run('api-key list')).stdout, /Saturday/)
})

test('an account is marked to be skipped and unmarked', async (t) => {
  const { json } = await shell(t)
  await json('organisation create ACME')
  t.like(errorOf(await json('skip S1 A-1', 2)), { code: 'does_not_exist' })
  await json('supplier create S1 --organisation ACME')
  t.like(await json('skip S1 A-1'), { skipped: true, changed: true })
  t.like(await json('skip S1 A-1'), { skipped: true, changed: false })
  t.like(await json('skip S1 A-1 --undo'), { skipped: false, changed: true })
  t.like(errorOf(await json('account show S1 A-1', 2)), { code: 'does_not_exist' })
})

test('migrations are shown and applied', async (t) => {
  const { json } = await shell(t)
  const first = (await json('migrate')) as { applied: string[]; moved_document_roots: string[] }
  t.true(first.applied.length > 0)
  t.deepEqual(first.moved_document_roots, [])
  t.deepEqual(await json('migrate'), { applied: [], moved_document_roots: [] })
  t.deepEqual(await json('migrate --status'), { applied: first.applied, pending: [] })
})

test('a wrong configuration is refused with every fault, for people and as JSON', async (t) => {
  const faulty = { PORT: 'x', TIME_ZONE: 'Mars', DATABASE_URL: 'mysql://u:pass-canary@h' }
  const text = await cli(['team', 'list'], faulty)
  t.is(text.code, 2)
  for (const variable of Object.keys(faulty)) t.true(text.stderr.includes(variable))
  const json = await cli(['team', 'list', '--json'], faulty)
  t.is(json.code, 2)
  const error = errorOf(JSON.parse(json.stdout) as Json)
  t.is(error['code'], 'configuration_not_valid')
  t.is((error['errors'] as Json[]).length, 3)
  t.notRegex(text.stderr + json.stdout + json.stderr, /canary|^\s+at /m)
})

test('a database that cannot be reached is an environment failure without a secret or a stack', async (t) => {
  const { code, stderr, stdout } = await cli(['team', 'list', '--json'], {
    DATABASE_URL: 'mysql://u:pass-canary@127.0.0.1:1/imports',
  })
  t.is(code, 3)
  t.like(errorOf(JSON.parse(stdout) as Json), { code: 'database_unavailable' })
  t.regex(stderr, /^The database cannot be reached \(ECONNREFUSED\)/)
  t.notRegex(stderr + stdout, /canary|^\s+at /m)
})

test('a data folder that cannot be made is an environment failure', async (t) => {
  const { code, stderr } = await cli(['team', 'list'], { DATA_DIR: '/dev/null/data' })
  t.is(code, 3)
  t.regex(
    stderr,
    /^The folder \/dev\/null\/data cannot be used by user \d+: ENOTDIR: .*'\/dev\/null\/data.*'\. Check DATA_DIR/,
  )
})

test('commands that begin together on an empty data folder all succeed', async (t) => {
  const { environment, json } = await shell(t)
  const names = ['A', 'B', 'C', 'D']
  const outcomes = await Promise.all(names.map((name) => cli(['team', 'create', name], environment)))
  t.deepEqual(
    outcomes.map(({ code, stderr }) => [code, stderr]),
    names.map((name) => [0, `Operations team ${name} was created.\n`]),
  )
  t.deepEqual(await json('team list'), names.map((name) => ({ name, organisations: [] })) as unknown as Json)
})
