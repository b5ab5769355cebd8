import { type BatchOutcome, comparedText, mostRemembered, passOf } from '@account-import/account-files'
import { generateAccounts } from '@account-import/example-generate-accounts'
import ava from 'ava'
import { account } from './support/accounts.js'
import { offline } from './support/offline.js'

// One after the other: each starts threads.
const test = ava.serial

type Json = Record<string, unknown>

/** Accounts without any fault, as objects that a test may change. */
const cleanAccounts = (count: number): Json[] =>
  [...generateAccounts({ count })].map(({ payload }) => JSON.parse(JSON.stringify(payload)) as Json)

const listsIn = (value: unknown, name: string): Json[] => ((value as Json)[name] as Json[] | undefined) ?? []

const pointsOf = (payload: Json): Json[] =>
  listsIn(payload, 'supply_addresses').flatMap((entry) => listsIn(entry, 'supply_points'))

const lines = (payloads: readonly unknown[]): string =>
  payloads.map((payload) => `${JSON.stringify(payload)}\n`).join('')

const day = ['--today', '2025-09-01']

test('clean files of any size give no notice about the file', async (t) => {
  const { put, summary } = await offline(t)
  for (const count of [1, 25, 200]) {
    const found = await summary([await put('a.ndjson', lines(cleanAccounts(count))), ...day], 0)
    t.like(found, { accounts: count, valid_with_warnings: 0, file_warnings: [] })
    t.like(found.shared_supply_points, { count: 0, complete: true })
    t.is(found.repeated_accounts.lines, 0)
  }
})

test('a small file gives no notice about chance patterns', async (t) => {
  const { put, summary } = await offline(t)
  const same = Array.from({ length: 19 }, (_, at) => account(`A-${at}`))
  t.deepEqual((await summary([await put('a.ndjson', lines(same)), ...day], 0)).file_warnings, [])
  const more = [...same, account('A-19')]
  const found = await summary([await put('a.ndjson', lines(more)), ...day], 0)
  t.true(found.file_warnings.length > 0)
})

test('balances of one sign give a notice, and one balance of the other sign removes it', async (t) => {
  const { put, summary } = await offline(t)
  const payloads = cleanAccounts(60)
  const turn = (sign: '' | '-'): void => {
    for (const payload of payloads)
      for (const ledger of listsIn(payload, 'ledgers'))
        for (const name of ['ledger_balance', 'last_statement_balance'])
          if (ledger[name] !== undefined) ledger[name] = `${sign}${String(ledger[name]).replace('-', '')}`
  }
  const checks = async (): Promise<readonly string[]> => {
    const file = await put('a.ndjson', lines(payloads))
    const { file_warnings } = await summary([file, ...day], 0)
    return file_warnings.map(({ check, field }) => `${check} ${field}`)
  }
  turn('-')
  t.deepEqual(await checks(), ['every_balance_is_debt ledgers[].ledger_balance'])
  turn('')
  t.deepEqual(await checks(), ['every_balance_is_credit ledgers[].ledger_balance'])
  payloads[30] = { ...payloads[30], ledgers: [{ ledger_code: 'L', ledger_balance: -0.01 }] }
  t.deepEqual(await checks(), [])
})

test('one value in more than half of the accounts with the field gives a notice with its first lines', async (t) => {
  const { put, summary, validate, text, path } = await offline(t)
  const payloads = cleanAccounts(60)
  const holders = payloads.filter((payload) => listsIn(payload, 'customers').length > 0)
  for (const payload of payloads)
    for (const customer of listsIn(payload, 'customers')) delete customer['email']
  const customers = holders.map((payload) => listsIn(payload, 'customers')[0] ?? {})
  const mostly = Math.floor(customers.length / 2) + 1
  for (const [at, customer] of customers.entries())
    customer['email'] =
      at >= mostly ? `c${at}@example.org` : at % 2 === 0 ? 'info@canary.example' : 'Info@Canary.Example'
  const first = holders.slice(0, 5).map((payload) => payloads.indexOf(payload) + 1)
  const file = await put('a.ndjson', lines(payloads))
  const { file_warnings } = await summary([file, ...day, '--report', path('r.html')], 0)
  t.deepEqual(
    file_warnings.map((warning) => ({ ...warning, detail: '' })),
    [
      {
        check: 'one_value_in_most_accounts',
        detail: '',
        field: 'customers[].email',
        count: mostly,
        of: customers.length,
        at_least: false,
        lines: first,
      },
    ],
  )
  const { stderr } = await validate([file, ...day])
  t.regex(stderr, /^Notice: customers\[\]\.email: The same value is in \d+ of \d+ accounts/m)
  t.regex(await text('r.html'), /The file as a whole[^]*The same value is in/)
  for (const shown of [stderr, await text('r.html')]) t.notRegex(shown, /canary/i)
  const half = customers[mostly - 1] ?? {}
  half['email'] = 'other@example.org'
  t.deepEqual((await summary([await put('a.ndjson', lines(payloads)), ...day], 0)).file_warnings, [])
})

test('a value that begins late in a long file gives a notice, and its count is not too high', async (t) => {
  const { put, summary } = await offline(t)
  const bare = (at: number, email: string): Json => ({
    import_supplier: 'S',
    external_account_number: `A-${at}`,
    customers: [{ family_name: 'Roig', email }],
  })
  const payloads = Array.from({ length: 2000 }, (_, at) =>
    bare(at, at < 800 ? `c${at}@example.org` : 'info@example.org'),
  )
  const { file_warnings } = await summary([await put('a.ndjson', lines(payloads)), ...day], 0)
  t.like(file_warnings[0], { check: 'one_value_in_most_accounts', of: 2000, at_least: true })
  const count = file_warnings[0]?.count ?? 0
  t.true(count <= 1200 && count > 1200 - 2000 / 16, String(count))
})

test('a supply point in two accounts of one supplier gives a notice with both accounts and lines', async (t) => {
  const { put, summary, validate, text, path } = await offline(t)
  const [first = {}, other = {}, third = {}] = cleanAccounts(3).filter(
    (payload) => pointsOf(payload).length > 0,
  )
  const identifier = String(pointsOf(first)[0]?.['identifier'])
  const written = identifier.replace(/^(..)(....)/, '$1 $2-').toLowerCase()
  const sharing = (payload: Json, fields: Json): Json => {
    const copy = structuredClone(payload)
    const [point] = pointsOf(copy)
    if (point !== undefined) point['identifier'] = `${written.slice(0, 22)}9z`
    return { ...copy, ...fields }
  }
  const payloads = [
    { ...first, external_account_number: 'A' },
    { ...other, external_account_number: 'B' },
    sharing(third, { external_account_number: 'C\u0085' }),
    { ...first, external_account_number: 'A' },
    sharing(other, { external_account_number: 'D', import_supplier: 'OTHER' }),
  ]
  const file = await put('a.ndjson', `\n${lines(payloads)}`)
  const found = await summary([file, ...day, '--report', path('r.html')], 0)
  t.deepEqual(found.shared_supply_points, {
    count: 1,
    complete: true,
    examples: [
      {
        line: 4,
        external_account_number: 'C\u0085',
        first_line: 2,
        first_external_account_number: 'A',
      },
    ],
  })
  t.is(found.repeated_accounts.lines, 1)
  const told = String.raw`line 4 (account C\u0085) has the supply point of line 2 (account A)`
  const { stderr } = await validate([file, ...day])
  t.true(stderr.includes(told), stderr)
  t.true((await text('r.html')).includes(told))
})

test('many dates in the future or before 1990 give a notice, and agreements may begin later', async (t) => {
  const { put, summary } = await offline(t)
  const payloads = cleanAccounts(200)
  const wrong = payloads.filter((payload) => pointsOf(payload).length > 0).slice(0, 24)
  const set = (count: number, early: string, future: string) => {
    for (const payload of wrong.slice(0, count)) {
      for (const point of pointsOf(payload)) {
        point['supply_start_date'] = early
        point['agreements'] = [{ tariff_code: 'T', effective_from: '2031-01-01' }]
      }
      payload['statements'] = [
        {
          statement_id: 'S',
          bill_period_from_date: '2025-01-01',
          bill_period_to_date: future,
        },
      ]
    }
    return put('a.ndjson', lines(payloads))
  }
  t.deepEqual((await summary([await set(11, '1968-01-01', '2031-01-01'), ...day], 0)).file_warnings, [])
  const { file_warnings } = await summary([await set(12, '1968-01-01', '2031-01-01'), ...day], 0)
  t.deepEqual(
    file_warnings.map(({ check, field, count }) => [check, field, count]),
    [
      ['dates_before_1990', 'supply_addresses[].supply_points[].supply_start_date', 12],
      ['dates_in_future', 'statements[].bill_period_to_date', 12],
    ],
  )
})

test('accounts with many errors are compared as far as they can be read', async (t) => {
  const { put, summary } = await offline(t)
  const strange: readonly unknown[] = [
    { customers: 'x', ledgers: { ledger_balance: 5 }, supply_addresses: [[null, { supply_points: 1 }]] },
    { import_supplier: 'S', supply_addresses: [{ supply_points: [{ identifier: 'P' }] }] },
    {
      import_supplier: 'S',
      external_account_number: 'A',
      supply_addresses: [{ supply_points: [{ identifier: 'P' }] }],
    },
    null,
    [],
    'text',
    { ledgers: [{ ledger_balance: 'x' }, { ledger_balance: {} }], notes: [{ created_at: 7 }] },
  ]
  const file = await put('a.ndjson', lines(Array.from({ length: 30 }, () => strange).flat()))
  const found = await summary([file, ...day], 1)
  t.is(found.failed, 210)
  t.deepEqual(found.shared_supply_points, { count: 0, complete: true, examples: [] })
})

test('accounts without supply points, and negative credits and charges, are counted with their sum', async (t) => {
  const { put, summary } = await offline(t)
  const moved = (type: string, amount: string) => ({
    transaction_id: `T-${type}-${amount}`,
    type,
    amount,
    transaction_date: '2025-05-01',
    reason: 'R',
  })
  const [first = {}, second = {}] = cleanAccounts(2)
  const ledgers = [
    {
      ledger_code: 'L',
      current_statement_transactions: [
        moved('CREDIT', '-12.30'),
        moved('CREDIT', '5'),
        moved('CHARGE', '-0.05'),
      ],
    },
  ]
  const file = lines([
    { ...first, ledgers },
    { ...second, supply_addresses: [] },
  ])
  const { file_warnings } = await summary([await put('a.ndjson', file), ...day], 0)
  const found = file_warnings.map((warning) => {
    const { check, count, of, sum } = warning as Readonly<Record<string, unknown>>
    return [check, count, of, sum]
  })
  t.deepEqual(found.slice(0, 2), [
    ['accounts_without_supply_points', 1, 2, undefined],
    ['negative_credits', 1, 2, '-12.30'],
  ])
  t.deepEqual(found[2]?.[0], 'negative_charges')
  const none = lines([{ ...second, supply_addresses: [] }])
  const { file_warnings: joined } = await summary([await put('b.ndjson', none), ...day], 0)
  const texts = joined.map((warning) => String((warning as Readonly<Record<string, unknown>>)['detail']))
  t.true(
    texts.some((text) => text.startsWith('No account has a supply point, so the file was joined wrongly.')),
  )
})

test('of a file with more accounts than are remembered, the first are compared, and the outcome says how many', async (t) => {
  const nothing = { codes: [], heaviest: [], spread: [], failures: undefined, errors: undefined }
  const outcomeOf = (count: number): BatchOutcome => ({
    ...nothing,
    accounts: count,
    failed: 0,
    validWithWarnings: 0,
    compared: Array.from({ length: count }, (_, at) => ({
      line: at + 1,
      importSupplier: 'S',
      externalAccountNumber: String(at),
      points: [],
    })),
    sums: { debts: 0, credits: 0, accounts: 0, pointless: { accounts: 0, lines: [] }, signed: [], dates: [] },
  })
  const compared = async (count: number) => {
    const pass = passOf({
      wants: { failures: undefined, errors: false, mapping: false },
      checker: { check: async () => outcomeOf(count) },
      ahead: 1,
      add: () => undefined,
      update: () => undefined,
    })
    await pass.take({ kind: 'lines', bytes: new TextEncoder().encode('{}\n') })
    return comparedText(await pass.end())
  }
  t.is(await compared(mostRemembered), undefined)
  t.regex(
    (await compared(mostRemembered + 1)) ?? '',
    /^Only the first [\d,]+ accounts were compared with all others;/,
  )
})
