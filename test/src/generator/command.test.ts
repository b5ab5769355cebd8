import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import test from 'ava'
import { generateAccounts } from '@account-import/example-generate-accounts'
import { root } from '../support/repository.js'
import { tempFolder } from '../support/temp-folder.js'

const generate = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(root, 'examples/generate-accounts/dist/main.js'), ...args], {
    encoding: 'utf8',
  })

const shares = ['--invalid-share', '0.4', '--warning-share', '0.2'] as const
const options = { count: 60, seed: 'x', supplier: 'PONIENTE', invalidShare: 0.4, warningShare: 0.2 }

test('a file holds one account a line, packed or not, and the side file what is wrong with which line', async (t) => {
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

for (const args of [
  ['--count', '-1'],
  ['--count', '1.5'],
  ['--invalid-share', '2'],
  ['--invalid-share', '0.7', '--warning-share', '0.7'],
  ['--profile', 'huge'],
  ['--supplier', ''],
  ['--prefix', 'a b'],
  ['--unknown'],
])
  test(`${args.join(' ')} is refused with the usage`, (t) => {
    const { status, stdout, stderr } = generate(...args)
    t.is(status, 2)
    t.is(stdout, '')
    t.regex(stderr, /npm run generate-accounts/)
  })

test('the demo has other account numbers than accounts that are generated next, which would be created before', async (t) => {
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
