import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { AccountPayload } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { checkAccountPayload } from '@account-import/core/payloads'
import {
  defaultOptions,
  generateAccount,
  generateAccounts,
  readCommand,
  type GeneratedAccount,
  type GeneratorOptions,
} from '@account-import/example-generate-accounts'
import test from 'ava'
import { published } from '../support/published.js'
import { contextWith } from '../validation/support.js'
import { root } from '../support/repository.js'
import { tempFolder } from '../support/temp-folder.js'

type Entries = readonly Readonly<{ attr: string; code: string }>[]

/** The findings, or the expected ones, in an order of their own. */
const inShort = ({ errors = [], warnings }: Readonly<{ errors?: Entries; warnings: Entries }>) => {
  const sorted = (entries: Entries) => entries.map(({ attr, code }) => `${attr} ${code}`).sort()
  return { errors: sorted(errors), warnings: sorted(warnings) }
}

/** The findings in a generated account as it arrives, on a day. */
const foundIn = ({ payload }: GeneratedAccount, today: string) => {
  const context = { ...contextWith(), today: today as never }
  const checked = checkAccountPayload(JSON.parse(JSON.stringify(payload)), context)
  return inShort(E.isLeft(checked) ? checked.left : { warnings: checked.right.warnings })
}

/** All codes that generated accounts are made to have. */
const codesIn = (options: Partial<GeneratorOptions>): ReadonlySet<string> => {
  const codes = new Set<string>()
  for (const { expected } of generateAccounts(options))
    for (const { code } of [...expected.errors, ...expected.warnings]) codes.add(code)
  return codes
}

/** Codes of fields, and of warnings, in the order of the catalogue. */
const fieldCodes: readonly string[] = [...published]
  .filter(([, { where }]) => where.includes('F') || where.includes('W'))
  .map(([code]) => code)

const hashOf = (options: Parameters<typeof generateAccounts>[0]): string => {
  const hash = createHash('sha256')
  for (const account of generateAccounts(options)) hash.update(JSON.stringify(account))
  return hash.digest('hex')
}

const mixed = { invalidShare: 0.3, warningShare: 0.3 }

test('the same options give the same accounts, byte for byte', (t) => {
  t.is(hashOf({ count: 200, ...mixed }), 'aa901bb6faf1b02f8a23d722cdcfb7f1d0c905e642ef460679a93bf3c9fa0c58')
  t.not(hashOf({ count: 1, seed: '2' }), hashOf({ count: 1 }))
})

test('an account does not depend on those before it', (t) => {
  const options = { ...defaultOptions, count: 20, ...mixed }
  t.deepEqual([...generateAccounts(options)].at(-1), generateAccount(options, 19))
})

for (const today of ['2025-09-01', '2040-02-29'])
  for (const profile of ['small', 'typical', 'heavy'] as const)
    test(`${profile} accounts without faults have neither errors nor warnings on ${today}`, (t) => {
      const found = [...generateAccounts({ count: profile === 'heavy' ? 4 : 40, profile, seed: today })].map(
        (account) => ({ number: account.number, ...foundIn(account, today) }),
      )
      t.true(found.length > 0)
      t.deepEqual(
        found.filter(({ errors, warnings }) => errors.length + warnings.length > 0),
        [],
      )
    })

test('validation finds exactly the faults that the generator inserted', (t) => {
  for (const account of generateAccounts({ count: 150, invalidShare: 0.6, warningShare: 0.4 }))
    t.deepEqual(foundIn(account, '2025-09-01'), inShort(account.expected), account.number)
})

test('an account of the invalid share has errors, one of the warning share only warnings', (t) => {
  for (const { expected } of generateAccounts({ count: 100, invalidShare: 1 }))
    t.true(expected.errors.length > 0)
  for (const { expected } of generateAccounts({ count: 100, warningShare: 1 })) {
    t.true(expected.warnings.length > 0)
    t.deepEqual(expected.errors, [])
  }
  const faulty = [...generateAccounts({ count: 1000, ...mixed })].map(({ expected }) => expected)
  const share = (list: readonly unknown[]): number => list.length / 1000
  t.true(Math.abs(share(faulty.filter(({ errors }) => errors.length > 0)) - 0.3) < 0.03)
  t.true(
    Math.abs(
      share(faulty.filter(({ errors, warnings }) => errors.length === 0 && warnings.length > 0)) - 0.3,
    ) < 0.03,
  )
})

test('faults cover every code that one payload can cause with the built-in settings', (t) => {
  const covered = codesIn({ count: 800, invalidShare: 0.6, warningShare: 0.4 })
  t.deepEqual(
    fieldCodes.filter((code) => !covered.has(code)),
    [
      // Settings of a supplier, more than a thousand entries or 100,000 values.
      'not_in_supplier_list',
      'too_many_values',
      'too_many_errors',
      'too_many_warnings',
      // Additions to accounts alone have references.
      'card_number_not_allowed',
      // Generated accounts all have supply points, and balances that another sign or number of a transaction would break.
      'account_without_supply_points',
      'negative_credit',
      'negative_charge',
      'rewritten_identifier',
      'line_break_in_text',
      'internal_email_address',
      // The document store, registers, earlier imports, other requests.
      'path_does_not_exist_in_file_store',
      'document_check_not_possible',
      'import_supplier_does_not_exist',
      'import_supplier_migration_not_ongoing',
      'market_rules_not_available',
      'account_already_imported',
      'account_import_in_progress',
      'account_marked_to_skip',
      'historical_statement_already_exists',
      'payment_vendor_not_registered',
      'ledger_code_does_not_exist',
    ],
  )
})

test('account numbers and supply points are unique', (t) => {
  const numbers = new Set<string>()
  const supplyPoints: string[] = []
  for (const { number, payload } of generateAccounts({ count: 1000 })) {
    numbers.add(number)
    for (const entry of (payload as AccountPayload).supply_addresses ?? [])
      supplyPoints.push(...entry.supply_points.map(({ identifier }) => identifier.slice(0, 20)))
  }
  t.is(numbers.size, 1000)
  t.true(supplyPoints.length > 1000)
  t.is(new Set(supplyPoints).size, supplyPoints.length)
})

test('small accounts have about 4 KB, typical ones 8 KB with a tail of larger ones, heavy ones 110 KB', (t) => {
  const sizes = (options: Parameters<typeof generateAccounts>[0]): readonly number[] =>
    [...generateAccounts(options)]
      .map(({ payload }) => Buffer.byteLength(JSON.stringify(payload)))
      .sort((a, b) => a - b)
  const at = (list: readonly number[], part: number): number => list[Math.floor(list.length * part)] ?? 0
  const small = sizes({ count: 200, profile: 'small' })
  t.true(at(small, 0) > 2500 && at(small, 0.99) < 5000, `${at(small, 0)} to ${at(small, 0.99)}`)
  const typical = sizes({ count: 800 })
  t.true(at(typical, 0.5) > 7000 && at(typical, 0.5) < 9000, `median ${at(typical, 0.5)}`)
  t.true(at(typical, 0.99) > 20_000, `p99 ${at(typical, 0.99)}`)
  const heavy = sizes({ count: 20, profile: 'heavy' })
  t.true(at(heavy, 0) > 90_000 && at(heavy, 0.99) < 140_000, `${at(heavy, 0)} to ${at(heavy, 0.99)}`)
})

const generate = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(root, 'examples/generate-accounts/dist/main.js'), ...args], {
    encoding: 'utf8',
  })

const shares = ['--invalid-share', '0.4', '--warning-share', '0.2'] as const
const options = { count: 60, seed: 'x', supplier: 'PONIENTE', invalidShare: 0.4, warningShare: 0.2 }

test('a file has one account a line, compressed or not, and the side file names the faults of each line', async (t) => {
  const folder = await tempFolder(t)
  const [plain, packed, expected] = ['a.ndjson', 'a.ndjson.gz', 'x.ndjson'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  const withFaults = [...generateAccounts(options)].filter(
    ({ expected: { errors, warnings } }) => errors.length + warnings.length > 0,
  ).length
  t.true(withFaults > 10)
  const args = ['--count', '60', '--seed', 'x', '--supplier', 'PONIENTE', ...shares]
  for (const out of [plain, packed]) {
    const { status, stderr } = generate(...args, '--out', out, '--expected', expected)
    t.is(status, 0)
    t.is(stderr, `Wrote 60 accounts (${withFaults} with faults) to ${out}\n`)
  }
  const accounts = [...generateAccounts(options)]
  const text = readFileSync(plain, 'utf8')
  t.is(text, accounts.map(({ payload }) => `${JSON.stringify(payload)}\n`).join(''))
  t.is(gunzipSync(readFileSync(packed)).toString(), text)
  t.deepEqual(
    readFileSync(expected, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
    accounts
      .map(({ number, expected: findings }, index) => ({
        line: index + 1,
        external_account_number: number,
        ...findings,
      }))
      .filter(({ errors, warnings }) => errors.length + warnings.length > 0),
  )
})

test('without a file, accounts go to stdout', (t) => {
  const { status, stdout } = generate('--count', '3')
  t.is(status, 0)
  t.is(
    stdout,
    [...generateAccounts({ count: 3 })].map(({ payload }) => `${JSON.stringify(payload)}\n`).join(''),
  )
})

test('an unknown option, or a value that is not valid, is refused with the usage', (t) => {
  const { status, stderr } = generate('--unknown')
  t.is(status, 2)
  t.regex(stderr, /npm run generate-accounts/)
  for (const text of [
    '--count -1',
    '--count 1.5',
    '--invalid-share 2',
    '--invalid-share 0.7 --warning-share 0.7',
    '--profile huge',
    '--supplier=',
    '--prefix a/b',
  ])
    t.throws(() => readCommand(text.split(' ')), undefined, text)
})

test('the account numbers of the demo differ from those that the generator makes next', async (t) => {
  const data = await tempFolder(t)
  const { generate: demo, filesIn } = (await import(
    new URL('scripts/demo/steps.mjs', `file://${root}/`).href
  )) as {
    generate: (data: string) => string[]
    filesIn: (data: string) => { accounts: string }
  }
  t.is(generate(...demo(data)).status, 0)
  const numbers = readFileSync(filesIn(data).accounts, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { external_account_number?: unknown }).external_account_number)
  t.true(new Set(numbers).size > 990)
  const others = new Set<unknown>([...generateAccounts({ count: 1000 })].map(({ number }) => number))
  t.deepEqual(
    numbers.filter((number) => others.has(number)),
    [],
  )
})

test('a file that cannot be written is an error', (t) => {
  const { status, stderr } = generate('--count', '3', '--out', join(root, 'package.json/a.ndjson'))
  t.is(status, 1)
  t.regex(stderr, /EEXIST|ENOTDIR/)
})
