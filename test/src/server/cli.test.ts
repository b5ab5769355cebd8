import { connectSql } from '@account-import/adapter-sql'
import { bundledMarkets, type UseCases } from '@account-import/core'
import { openService, readConfig } from '@account-import/server'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { cli } from '../support/cli-process.js'
import { sample } from '../support/samples.js'
import { codeOf, shell, type Json } from './support/shell.js'

test('organisations are created once and listed, by successive commands', async (t) => {
  const { json, run } = await shell(t)
  const made = await json('organisation create ACME --name Acme')
  t.like(made, { code: 'ACME', name: 'Acme' })
  t.regex(String(made['created_at']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  t.is(codeOf(await json('organisation create ACME', 2)), 'already_exists')
  t.deepEqual(await json<Json[]>('organisation list'), [made])
  const text = await run('organisation list')
  t.regex(text.stdout, /CODE +NAME +CREATED AT +DISABLED AT\nACME +Acme +/)
})

test('suppliers are created, shown and listed, and their status is set', async (t) => {
  const { json, run } = await shell(t)
  await json('organisation create ACME')
  t.is(codeOf(await json('supplier create S1 --organisation NONE', 2)), 'does_not_exist')
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
  t.is(codeOf(await json('supplier set-status S2 ongoing', 2)), 'does_not_exist')
  t.like(await json('supplier show S1'), { status: 'ongoing' })
  t.is((await run('supplier show S2')).code, 2)
  t.is((await json<Json[]>('supplier list')).length, 1)
  t.regex((await run('supplier show S1')).stdout, /^document root: +in\/s1$/m)
})

test('supplier configure changes the named settings and keeps the others', async (t) => {
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
  const { error } = await json<{ error: Readonly<{ code: string; errors: Json[] }> }>(
    'supplier configure S1 --severity invalid=off --severity nonsense=warn --close-list vendor=X:error',
    2,
  )
  t.like(error, { code: 'input_not_valid', errors: { length: 3 } })
  t.deepEqual(await json('supplier show S1'), before)
})

test('API keys are shown once, listed without their secrets, and revoked', async (t) => {
  const { json, run } = await shell(t)
  await json('organisation create ACME')
  t.is(codeOf(await json('api-key create --organisation NONE', 2)), 'does_not_exist')
  const made = await json(
    'api-key create --organisation ACME --scope read --scope stage --expires 2099-01-02',
  )
  t.like(made, { organisation: 'ACME', scopes: ['read', 'stage'], expires_at: '2099-01-02T00:00:00Z' })
  t.regex(String(made['api_key']), new RegExp(`^aik_${String(made['id'])}_`))
  const { api_key: secret, ...shown } = made
  t.deepEqual(await json<Json[]>('api-key list'), [shown])
  t.false((await run('api-key list')).stdout.includes(String(secret)))
  t.deepEqual(await json(`api-key revoke ${String(made['id'])}`), { id: made['id'], revoked: true })
  t.is(codeOf(await json('api-key revoke nothing', 2)), 'does_not_exist')
  const [record] = await json<Json[]>('api-key list')
  t.regex(String(record?.['revoked_at']), /^20/)
})

test('a key ends after 365 days by default, is listed by its name, and create warns when it has all scopes', async (t) => {
  const { run } = await shell(t)
  await run('organisation create ACME')
  const made = async (options: string) => {
    const { stdout, stderr } = await run(`api-key create --organisation ACME --json${options}`)
    return { key: JSON.parse(stdout) as Json, stderr }
  }
  const usual = await made('')
  const days = (Date.parse(String(usual.key['expires_at'])) - Date.now()) / 86_400_000
  t.true(days > 364.9 && days <= 365, `${days} days`)
  t.regex(usual.stderr, /no --scope was given.*stage/)
  const narrow = await made(' --scope read --expires never --name Saturday')
  t.like(narrow.key, { name: 'Saturday', scopes: ['read'], expires_at: null })
  t.notRegex(narrow.stderr, /--scope/)
  t.regex((await run('api-key list')).stdout, /Saturday/)
})

test('an account is marked to be skipped and unmarked', async (t) => {
  const { json } = await shell(t)
  await json('organisation create ACME')
  t.is(codeOf(await json('skip S1 A-1', 2)), 'does_not_exist')
  await json('supplier create S1 --organisation ACME')
  t.like(await json('skip S1 A-1'), { skipped: true, changed: true })
  t.like(await json('skip S1 A-1'), { skipped: true, changed: false })
  t.like(await json('skip S1 A-1 --undo'), { skipped: false, changed: true })
  t.is(codeOf(await json('account show S1 A-1', 2)), 'does_not_exist')
})

test('migrations are shown and applied', async (t) => {
  const { json } = await shell(t)
  const first = (await json('migrate')) as { applied: string[] }
  t.true(first.applied.length > 0)
  t.deepEqual(await json('migrate'), { applied: [] })
  t.deepEqual(await json('migrate --status'), { applied: first.applied, pending: [] })
})

test('a database of a build before the first release is refused in plain words, and not changed', async (t) => {
  const { json, run, environment } = await shell(t)
  await json('migrate')
  const knex = connectSql(`sqlite:${join(environment['DATA_DIR'] ?? '', 'account-import.sqlite')}`)
  t.teardown(() => knex.destroy())
  await knex('account_import_migrations').where('name', '>', '0001-tables').delete()
  await knex('account_import_migrations').update({ name: '0001-registers' })
  for (const command of ['migrate', 'migrate --status', 'organisation list', 'serve']) {
    const { code, stderr } = await run(command)
    t.is(code, 3, command)
    t.regex(stderr, /made by a build before the first release/, command)
  }
  t.is(codeOf(await json('migrate', 3)), 'database_of_unreleased_build')
  t.deepEqual(await knex('account_import_migrations').pluck('name'), ['0001-registers'])
})

test('a wrong configuration is refused with every fault, for people and as JSON', async (t) => {
  const faulty = { PORT: 'x', TIME_ZONE: 'Mars', DATABASE_URL: 'mysql://u:pass-canary@h' }
  const { run, json } = await shell(t, faulty)
  const text = await run('team list')
  t.is(text.code, 2)
  for (const variable of Object.keys(faulty)) t.true(text.stderr.includes(variable))
  const document = await json('team list', 2)
  t.like(document, { error: { code: 'configuration_not_valid', errors: { length: 3 } } })
  t.notRegex(text.stderr + JSON.stringify(document), /canary|^\s+at /m)
})

test('an unreachable database, and a data folder that cannot be created, are environment failures without a secret or a stack', async (t) => {
  const url = { DATABASE_URL: 'mysql://u:pass-canary@127.0.0.1:1/imports' }
  const { code, stderr, stdout } = await cli(['team', 'list', '--json'], url)
  t.is(code, 3)
  t.is(codeOf(JSON.parse(stdout) as Json), 'database_unavailable')
  t.regex(stderr, /^The database cannot be reached \(ECONNREFUSED\)/)
  t.notRegex(stderr + stdout, /canary|^\s+at /m)
  const folder = await (await shell(t, { DATA_DIR: '/dev/null/data' })).run('team list')
  t.is(folder.code, 3)
  t.regex(
    folder.stderr,
    /^The folder \/dev\/null\/data cannot be used by user \d+: ENOTDIR: .*'\/dev\/null\/data.*'\. Check DATA_DIR/,
  )
})

test.serial('commands that start together on an empty data folder all succeed', async (t) => {
  const { environment, json } = await shell(t)
  const names = ['A', 'B', 'C', 'D']
  // Some in processes of their own, some in this one.
  const outcomes = await Promise.all(
    names.map((name, at) => (at % 2 === 0 ? cli : cliInProcess)(['team', 'create', name], environment)),
  )
  t.deepEqual(
    outcomes.map(({ code, stderr }) => [code, stderr]),
    names.map((name) => [0, `Operations team ${name} was created.\n`]),
  )
  t.deepEqual(
    await json<Json[]>('team list'),
    names.map((name) => ({ name, organisations: [] })),
  )
})

test('an organisation is disabled, enabled and revoked, and the list has the time', async (t) => {
  const { run, json } = await shell(t)
  await json('organisation create ACME')
  await json('api-key create --organisation ACME')
  t.regex(String((await json('organisation disable ACME'))['disabled_at']), /^20/)
  t.regex((await run('organisation list')).stdout, /^ACME +ACME +20\S+ +20\S+$/m)
  t.is((await json('organisation enable ACME'))['disabled_at'], null)
  for (const revoked_keys of [1, 0])
    t.deepEqual(await json('organisation revoke ACME'), { code: 'ACME', revoked_keys })
  for (const command of ['disable', 'enable', 'revoke'])
    t.is((await run(`organisation ${command} NOBODY`)).code, 2)
})

test('api-key rotate prints the new key alone on stdout, and the old one ends with the overlap', async (t) => {
  const { run, json } = await shell(t)
  await json('organisation create ACME')
  const { id } = await json('api-key create --organisation ACME --name Nightly --scope read')
  const made = await json(`api-key rotate ${String(id)} --overlap 7d --expires never`)
  t.like(made, {
    organisation: 'ACME',
    name: 'Nightly',
    scopes: ['read'],
    expires_at: null,
    last_used_at: null,
  })
  const replaced = made['replaces'] as Readonly<{ id: string; expires_at: string }>
  t.is(replaced.id, String(id))
  const days = (Date.parse(replaced.expires_at) - Date.now()) / 86_400_000
  t.true(days > 6.9 && days <= 7, String(days))
  const plain = await run(`api-key rotate ${String(id)} --overlap 0`)
  t.regex(plain.stdout, /^aik_[0-9a-f]{12}_\S{51}\n$/)
  for (const [args, code] of [
    [String(id), 2],
    ['nobody', 2],
    [`${String(made['id'])} --overlap soon`, 2],
    [`${String(made['id'])} --overlap 90s`, 0],
  ] as const)
    t.is((await run(`api-key rotate ${args}`)).code, code, args)
})

test('a team is bound to organisations and unbound again, and the list names its users', async (t) => {
  const { run, json } = await shell(t)
  for (const line of ['organisation create B', 'organisation create A', 'team create North']) await json(line)
  await json('team bind North --organisation B')
  t.deepEqual(await json('team bind North --organisation A'), { name: 'North', organisations: ['A', 'B'] })
  t.regex((await run('team list')).stdout, /^North +A, B$/m)
  await json('team unbind North --organisation A')
  t.deepEqual(await json('team unbind North --organisation B'), { name: 'North', organisations: [] })
  t.regex((await run('team list')).stdout, /^North +all organisations$/m)
  for (const args of ['North --organisation NOBODY', 'South --organisation A', 'North'])
    t.is((await run(`team bind ${args}`)).code, 2)
})

type Details = Readonly<Record<string, readonly Json[] | undefined>>

/** The sample as a client stages and processes it; the use cases add more to it, and commands show it. */
const processed = async <A>(
  t: ExecutionContext,
  file: string,
  add: (useCases: UseCases, send: (payload: unknown) => { organisation: string; payload: unknown }) => A,
) => {
  const commands = await shell(t, { PAYMENT_VENDORS: 'SANDBOX' })
  const config = readConfig(commands.environment, 'operate')
  if (config._tag === 'Left') throw new Error('the configuration of the test is wrong')
  const service = await openService(config.right)
  const { operator, stageAccount, processAccount } = service.useCases
  await operator.createOrganisation({ code: 'ACME' })
  await operator.createSupplier({ code: 'LEVANTE', organisation: 'ACME' })
  await operator.createTeam('North')
  const send = (payload: unknown) => ({ organisation: 'ACME', payload })
  const payload = sample(file)
  await stageAccount(send(payload))
  const request = {
    import_supplier_code: 'LEVANTE',
    external_account_number: payload['external_account_number'],
    operations_team_name: 'North',
  }
  t.is((await processAccount(send(request)))._tag, 'Right')
  const added = await add(service.useCases, send)
  await service.close()
  const show = `account show LEVANTE ${String(payload['external_account_number'])}`
  const account = await commands.json<Json & { details: Details }>(show)
  return { payload, added, account, text: (await commands.run(show)).stdout }
}

for (const [file, number] of [
  ['gas-account.json', 'LEV-G-000123'],
  ['electricity-account.json', 'LEV-E-000456'],
] as const)
  test(`account show prints ${file} as it was staged, and for people its notes, transactions and statements`, async (t) => {
    const { payload, account, text } = await processed(t, file, () => undefined)
    t.like(account, { external_account_number: number, operations_team: 'North', staged_version: 1 })
    for (const field of ['customers', 'supply_addresses', 'statements', 'metadata', 'references'])
      t.like({ is: account.details[field] }, { is: payload[field] ?? [] }, field)
    for (const heading of ['Notes', 'Transactions', 'Statements', 'Payment instructions'])
      t.regex(text, new RegExp(`^${heading}$`, 'm'))
    const ledgers = payload['ledgers'] as { current_statement_transactions: { transaction_id: string }[] }[]
    for (const { transaction_id: id } of ledgers.flatMap((ledger) => ledger.current_statement_transactions))
      t.true(text.includes(id))
  })

test('account show prints additions: pinned notes, transactions, statements and payment instructions', async (t) => {
  const { added, account, text } = await processed(t, 'gas-account.json', async (useCases, send) => [
    await useCases.addNotes(send(sample('notes.json'))),
    await useCases.addTransactions(send(sample('transactions.json'))),
    await useCases.addHistoricalStatements(send(sample('historical-statements.json'))),
    await useCases.addPaymentInstruction(send(sample('payment-instruction.json'))),
  ])
  t.deepEqual(
    added.map(({ _tag }) => _tag),
    Array(4).fill('Right'),
  )
  const { notes, statements, payment_instructions: [instruction] = [] } = account.details
  t.like(
    notes?.find(({ body }) => body === 'Aviso: perro en el patio.'),
    { is_pinned: true, created_at: '2025-05-06T08:05:00Z', unpin_at: '2025-08-06T08:05:00Z' },
  )
  t.like(statements?.at(-1), { number: 'F25-004410', gross_amount: '68.90' })
  t.like(instruction, { vendor: 'SANDBOX', reference: 'sandbox-card-000123', details: { last4: '4242' } })
  t.regex(String(instruction?.['created_at']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  for (const line of [
    /^2025-05-06T08:05:00Z +until 2025-08-06T08:05:00Z +Aviso: perro en el patio\.$/m,
    /^LEV-G-F-2024-12 +2024-12-01 +2024-12-31 +2025-01-08 +F24-118832 +71\.36 +statements\/\S+$/m,
    /Z +SANDBOX +CARD +sandbox-card-000123 +SANDBOX +4242 +2099-12$/m,
    /LEV-G-T-0101$/m,
  ])
    t.regex(text, line)
})
