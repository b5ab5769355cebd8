import test, { type ExecutionContext } from 'ava'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { served } from '../personal-data/support/served-journey.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { sample, type JsonObject } from '../support/samples.js'
import { tempFolder } from '../support/temp-folder.js'

type Account = JsonObject & { external_account_number: string }

const account = (number: string): Account => {
  const text = JSON.stringify(sample('gas-account.json')).replaceAll('LEV-G-000123', number)
  return JSON.parse(text) as Account
}

/** The same account with one value changed; the path is `ledgers.0.ledger_balance`. */
const changed = (of: Account, path: string, value: unknown): Account => {
  const copy = structuredClone(of)
  const names = path.split('.')
  let at = copy as Record<string, unknown>
  for (const name of names.slice(0, -1)) at = at[name] as Record<string, unknown>
  at[names.at(-1) ?? ''] = value
  return copy
}

type Listed = Readonly<{ count: number; named: readonly string[] }>

type Proof = Readonly<{
  proved: boolean
  files: readonly Readonly<{ accounts: number; invalid: number; sha256: string }>[]
  accounts: Readonly<Record<string, number>>
  missing: Listed
  only_staged: Listed
  extra: Listed
  repeated: Listed
  invalid: Listed
  corrected: Listed
  reasons: readonly string[]
  different: Readonly<{
    count: number
    named: readonly Readonly<{ number: string; paths: readonly string[] }>[]
  }>
  figures: readonly Readonly<{ name: string; file: string; created: string; equal: boolean }>[]
  controls: readonly Readonly<{ name: string; found: string; equal: boolean }>[]
  error?: Readonly<{ code: string }>
}>

/** A service in which A, B and C are created. */
const begun = async (t: ExecutionContext) => {
  const folder = await tempFolder(t)
  const { environment, server, apiKey, post } = await served(t, { DATA_DIR: folder })
  const stage = (of: Account) => post('/v1/data-import/account-import-process/create-or-update/', of)
  const all = ['A', 'B', 'C'].map(account)
  for (const each of all) {
    await stage(each)
    const created = await post('/v1/data-import/account-import-process/process/', {
      import_supplier_code: 'LEVANTE',
      external_account_number: each.external_account_number,
      operations_team_name: 'North',
    })
    t.is(created.status, 201)
  }
  const fileOf = async (accounts: readonly unknown[], name = 'accounts.ndjson'): Promise<string> => {
    const lines = accounts.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    const path = join(folder, name)
    await writeFile(path, `${lines.join('\n')}\n`)
    return path
  }
  const reconcile = (args: readonly string[]) =>
    cliInProcess(['reconcile', '--supplier', 'LEVANTE', '--url', server.address, ...args], {
      ...environment,
      ACCOUNT_IMPORT_API_KEY: apiKey,
    })
  const proof = async (accounts: readonly unknown[], args: readonly string[] = []): Promise<Proof> => {
    const { code, stdout } = await reconcile([await fileOf(accounts), '--json', ...args])
    const said = JSON.parse(stdout) as Proof
    t.is(code, said.proved ? 0 : 1)
    return said
  }
  return { folder, post, stage, all, fileOf, reconcile, proof }
}

test('accounts that equal their lines are proved, in any order, in several files, with blank lines, compressed', async (t) => {
  const { folder, all, fileOf, reconcile, proof } = await begun(t)
  const [a, b, c] = all as [Account, Account, Account]
  const reordered = Object.fromEntries(Object.entries(c).toReversed())
  const said = await proof([reordered, '', a, { ...b, no_such_field: 1 }])
  t.true(said.proved)
  t.like(said.accounts, { in_files: 3, created: 3, equal: 3 })
  t.true(said.figures.length > 6 && said.figures.every(({ equal }) => equal))
  const packed = join(folder, 'two.ndjson.gz')
  await writeFile(packed, gzipSync(JSON.stringify([b, c], null, 2)))
  const report = join(folder, 'proof.html')
  const { code, stdout } = await reconcile([
    await fileOf([a]),
    packed,
    '--report',
    report,
    '--by',
    'Núria <x>\u202e\u001b\u009b',
  ])
  t.is(code, 0)
  t.regex(stdout, /^3 of 3 accounts are equal\.\n[^]*equal +3\n[^]*Nothing differs\.\n$/)
  const page = await readFile(report, 'utf8')
  t.true(
    page.includes('There is no other account of this supplier') &&
      page.includes(String.raw`Núria &lt;x&gt;\u202e\u001b\u009b`),
  )
  t.false(page.includes('Riera'))
})

test('a supply point has equal values in all forms of its CUPS, and another CUPS is a difference', async (t) => {
  const { all, proof } = await begun(t)
  const [a, b, c] = all as [Account, Account, Account]
  const path = 'supply_addresses.0.supply_points.0.identifier'
  const written = [
    changed(a, path, 'ES0234000098765432VB0F'),
    changed(b, path, 'es 0234 0000 9876 5432 vb 1p'),
    c,
  ]
  t.true((await proof(written)).proved)
  t.deepEqual((await proof([a, b, changed(c, path, 'ES0234000098765432VC')])).different.named, [
    { number: 'C', paths: [path] },
  ])
})

test('reconcile finds each planted fault: missing, extra, repeated, a cent, a sign, a field, only staged, not valid', async (t) => {
  const { stage, all, proof } = await begun(t)
  const [a, b, c] = all as [Account, Account, Account]
  t.like(await proof([a, b]), { proved: false, extra: { count: 1, named: ['C'] } })
  const missing = await proof([a, b, c, account('D')])
  t.like(missing, { proved: false, missing: { count: 1, named: ['D'] } })
  const twice = await proof([a, b, c, b])
  t.like(twice, { proved: false, repeated: { count: 1, named: ['B'] }, different: { count: 0 } })
  const ledgers = a['ledgers'] as readonly Readonly<{ ledger_balance: number }>[]
  const balance = ledgers[0]?.ledger_balance ?? t.fail('the sample has a balance')
  for (const value of [Number((balance + 0.01).toFixed(2)), -balance - 1]) {
    const said = await proof([changed(a, 'ledgers.0.ledger_balance', value), b, c])
    t.deepEqual(said.different, {
      count: 1,
      named: [{ number: 'A', paths: ['ledgers.0.ledger_balance'] }],
    } as never)
    t.true(said.figures.some(({ name, equal }) => /^balances .*sum$/.test(name) && !equal))
  }
  const moved = await proof([changed(a, 'customers.0.mobile', '+34600000001'), b, c])
  t.deepEqual(moved.different.named, [{ number: 'A', paths: ['customers.0.mobile'] }])
  t.true(moved.figures.every(({ equal }) => equal))
  await stage(account('D'))
  t.like(await proof([a, b, c, account('D')]), { proved: false, only_staged: { count: 1, named: ['D'] } })
  const invalid = await proof([a, b, c, '{', { import_supplier: 'LEVANTE' }])
  t.like(invalid, { proved: false, accounts: { invalid: 2, in_files: 3 } })
  t.is((await proof([])).proved, false)
  const other = await proof([a, b, c, { ...account('D'), import_supplier: 'OTHER' }])
  t.like(other.accounts, { other_suppliers: 1 })
})

test('a proof counts the accounts of all lines, valid or not, and those that were never imported', async (t) => {
  const { all, fileOf, reconcile } = await begun(t)
  const [a, b, c] = all as [Account, Account, Account]
  const file = await fileOf([a, b, changed(c, 'customers', 'nobody'), account('D'), '{'], 'all.ndjson')
  const wrong = await fileOf([changed(account('E'), 'customers', 'nobody'), account('D')], 'wrong.ndjson')
  const { stdout } = await reconcile([file, wrong])
  t.regex(stdout, /^2 of 6 proved; 2 never imported\.\n[^]*never imported +2\n/)
  const said = JSON.parse((await reconcile([file, wrong, '--json'])).stdout) as Proof
  t.like(said.accounts, { in_files: 3, in_any_line: 6, never_imported: 2, equal: 2 })
})

test('an accepted exclusion is listed with its reasons, and names accounts that are created or in no file', async (t) => {
  const { all, fileOf, reconcile } = await begun(t)
  const file = await fileOf(
    [...all, account('D'), changed(account('E'), 'customers', 'nobody')],
    'all.ndjson',
  )
  const excluding = async (excluded: unknown) =>
    reconcile([file, '--excluded', await fileOf([excluded], 'excluded.json')])
  const accepted = await excluding({ D: 'Closed', E: 'Merged' })
  t.is(accepted.code, 0, accepted.stdout)
  t.regex(
    accepted.stdout,
    /^3 of 5 proved; 2 never imported, 2 of them excluded\.\n[^]*\nExcluded, with the reason: D: Closed, E: Merged\n[^]*Nothing differs\.\n$/,
  )
  const wrong = await excluding({ D: 'Closed', E: 'Merged', A: 'Closed', Z: 'Closed' })
  t.is(wrong.code, 1)
  t.regex(wrong.stdout, /Excluded, but created: A\n[^]*Excluded, but in no file: Z\n/)
  t.regex(wrong.stdout, /Not proved: 1 excluded account is created; 1 excluded account is in no file/)
  const broken = await excluding({ D: '' })
  t.is(broken.code, 2)
  t.regex(broken.stderr, /is no exclusion/)
})

test('a valid line of another file corrects a refused line, in any order of the files', async (t) => {
  const { all, fileOf, reconcile } = await begun(t)
  const [a, b, c] = all as [Account, Account, Account]
  const broken = JSON.stringify(c).slice(0, -1)
  const first = await fileOf([a, '', changed(b, 'customers', 'nobody'), broken], 'first.ndjson')
  const fixed = await fileOf([b, c], 'fixed.ndjson')
  for (const files of [
    [first, fixed],
    [fixed, first],
  ]) {
    const { code, stdout } = await reconcile([...files, '--json'])
    const said = JSON.parse(stdout) as Proof
    t.deepEqual([code, said.proved, said.reasons, said.invalid.count], [0, true, [], 0])
    t.deepEqual(said.corrected, { count: 2, named: ['B', 'C'] })
    t.like(said.accounts, { in_files: 3, equal: 3, invalid: 0, corrected: 2 })
  }
  const alone = await reconcile([first])
  t.is(alone.code, 1)
  t.true(
    alone.stdout.endsWith(
      '\nNot proved: 2 accounts are in no file; 2 lines are invalid; 13 sums of the files and the created accounts differ.\n',
    ),
    alone.stdout,
  )
  t.true(alone.stdout.includes(`Invalid lines: ${first} line 3 (B), ${first} line 4 (C)`), alone.stdout)
})

test('a refused line is not corrected when its own file has the number, no file has it, or it has no number', async (t) => {
  const { all, fileOf, reconcile } = await begun(t)
  const [a, b, c] = all as [Account, Account, Account]
  const wrong = (of: Account): Account => changed(of, 'customers', 'nobody')
  const rest = await fileOf([b, c], 'rest.ndjson')
  for (const lines of [
    [a, wrong(a)],
    [a, wrong(account('D'))],
    [a, '{}'],
    [a, '"external_account_number": 7'],
  ]) {
    const { code, stdout } = await reconcile([await fileOf(lines), rest, '--json'])
    const said = JSON.parse(stdout) as Proof
    t.deepEqual([code, said.reasons, said.corrected.count], [1, ['1 line is invalid'], 0])
  }
  const foreign = { ...wrong(account('D')), import_supplier: 'OTHER' }
  const { code, stdout } = await reconcile([await fileOf([a, foreign]), rest, '--json'])
  t.is(code, 0)
  t.like(JSON.parse(stdout), { accounts: { invalid: 0, other_suppliers: 1 } })
})

test('the balance of the last bill stands for a ledger without a current one, in sums and controls', async (t) => {
  const { folder, stage, post, all, proof } = await begun(t)
  const ledgers = [{ ledger_code: 'OLD', last_statement_balance: '-12.30' }]
  const without = { ...account('D'), ledgers }
  await stage(without)
  const created = await post('/v1/data-import/account-import-process/process/', {
    import_supplier_code: 'LEVANTE',
    external_account_number: 'D',
    operations_team_name: 'North',
  })
  t.is(created.status, 201)
  const controls = join(folder, 'controls.json')
  await writeFile(controls, JSON.stringify({ balances: { OLD: { count: 1, sum: '-12.30' } } }))
  const said = await proof([...all, without], ['--controls', controls])
  t.true(said.proved, said.reasons.join())
  t.like(
    said.figures.find(({ name }) => name === 'balances OLD, sum'),
    { file: '-12.30', created: '-12.30' },
  )
})

test('the report has the equal accounts first, then the money, and folds zeros', async (t) => {
  const { folder, all, fileOf, reconcile } = await begun(t)
  const report = join(folder, 'proof.html')
  const { code, stdout } = await reconcile([await fileOf(all.slice(0, 2)), '--report', report])
  t.is(code, 1)
  t.regex(
    stdout,
    /^2 of 2 accounts are equal\.\n[^]*\nNot proved: 1 account is in no file; \d+ sums of [^\n]* differ\.\n$/,
  )
  const page = await readFile(report, 'utf8')
  const places = [
    '2 of 2 accounts are equal. Not proved: 1 account is in no file;',
    '<section id="sums">',
    '<section id="accounts">',
    '<section id="extra">',
  ].map((text) => page.indexOf(text))
  t.true(
    places.every((place, at) => place > (places[at - 1] ?? 0)),
    String(places),
  )
  const folded = [...page.matchAll(/<summary>0: ([^<]*)<\/summary>/g)].map(([, names]) => names)
  t.true(
    folded.some(
      (names) =>
        names ===
        'never imported, different, missing, only staged, on several lines, invalid lines, corrected in another file, excluded, excluded but created, excluded but in no file, lines of other suppliers, with additions',
    ),
    folded.join(' | '),
  )
})

test('additions are reported and are no difference of the account, and their sums are', async (t) => {
  const { post, all, proof } = await begun(t)
  const added = await post('/v1/data-import/notes/create/', {
    import_supplier: 'LEVANTE',
    external_account_number: 'A',
    notes: [{ body: 'late' }],
  })
  t.is(added.status, 201)
  const said = await proof(all)
  t.like(said, { proved: false, accounts: { equal: 3, with_additions: 1 }, different: { count: 0 } })
  t.deepEqual(
    said.figures.filter(({ equal }) => !equal).map(({ name }) => name),
    ['notes'],
  )
})

test('control totals of the old system are checked, and a file that is not one is refused', async (t) => {
  const { folder, all, fileOf, reconcile, proof } = await begun(t)
  const controls = join(folder, 'controls.json')
  const { figures } = await proof(all)
  const balance = figures.find(({ name }) => /^balances .*sum$/.test(name)) ?? t.fail('there are balances')
  const ledger = balance.name.replace(/^balances |, sum$/g, '')
  const right = { accounts: 3, balances: { [ledger]: { count: 3, sum: balance.created } }, transactions: {} }
  await writeFile(controls, JSON.stringify(right))
  t.like(await proof(all, ['--controls', controls]), { proved: true, controls: { length: 3 } })
  await writeFile(
    controls,
    JSON.stringify({ ...right, accounts: 4, transactions: { NONE: { sum: '1.00' } } }),
  )
  const wrong = await proof(all, ['--controls', controls])
  t.deepEqual(
    wrong.controls.filter(({ equal }) => !equal).map(({ name, found }) => [name, found]),
    [
      ['accounts', '3'],
      ['transactions NONE, sum', '0.00'],
    ],
  )
  for (const text of ['{', '{"acounts": 3}', '{"accounts": "3"}', '{"balances": {"X": {"sum": 12.5}}}']) {
    await writeFile(controls, text)
    const refused = await reconcile([await fileOf(all), '--controls', controls, '--json'])
    t.deepEqual([refused.code, (JSON.parse(refused.stdout) as Proof).error?.code], [2, 'controls_not_valid'])
  }
})

test('reconcile refuses a missing file, a CSV, the standard input and an unknown supplier', async (t) => {
  const { folder, all, fileOf, reconcile } = await begun(t)
  const csv = await fileOf(['number,name,city', '1,a,b'], 'accounts.csv')
  const file = await fileOf(all)
  const outcomes = [
    [[join(folder, 'none')], 3, 'input_unreadable'],
    [[csv], 2, 'not_one_account_a_line'],
    [['-'], 2, 'usage'],
    [[file, '--supplier', 'NOBODY'], 2, 'not_found'],
    [[file, '--report', file], 2, 'usage'],
  ] as const
  for (const [args, exit, wanted] of outcomes) {
    const { code, stdout } = await reconcile([...args, '--json'])
    t.deepEqual([code, (JSON.parse(stdout) as Proof).error?.code], [exit, wanted])
  }
})

test('accounts are listed in order of their numbers, from the file and the service', async (t) => {
  const { all, proof } = await begun(t)
  const changes = all.map((each) => changed(each, 'customers.0.mobile', '+34600000001'))
  for (const accounts of [changes, changes.toReversed()]) {
    const { different } = await proof(accounts)
    t.deepEqual(
      different.named.map(({ number }) => number),
      ['A', 'B', 'C'],
    )
  }
})

test('an unreadable file is refused without a request to the service', async (t) => {
  const folder = await tempFolder(t)
  let asked = 0
  const silent = createServer(() => {
    asked += 1
  })
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => silent.close())
  const { port } = silent.address() as AddressInfo
  const { code } = await cliInProcess(
    ['reconcile', join(folder, 'none'), '--supplier', 'LEVANTE', '--url', `http://127.0.0.1:${port}`],
    { ACCOUNT_IMPORT_API_KEY: 'AK.key.of-nobody' },
  )
  t.deepEqual([code, asked], [3, 0])
})
