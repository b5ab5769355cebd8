import test from 'ava'
import { stat } from 'node:fs/promises'
import { textOf } from '../support/repository.js'
import { offline } from './support/offline.js'

const [valid = ''] = textOf('examples/samples/accounts.ndjson').split('\n')
const broken = '{"external_account_number": "A-1", "account_type": tru}'
const early = JSON.stringify({
  ...(JSON.parse(valid) as object),
  external_account_number: 'A-2',
  last_billed_to_date: '31.1.2025',
})
const lines = [valid, broken, early, broken.replace('tru', 'fals')].join('\n')

test('the summary says for each code where it comes first and what to do, and of broken JSON the column', async (t) => {
  const { put, validate, path } = await offline(t)
  const { code, stdout, stderr } = await validate([
    await put('a.ndjson', lines),
    '--failures',
    path('failed.ndjson'),
  ])
  t.deepEqual([code, stdout], [1, ''])
  t.regex(stderr, /^error +parse_error +2 +2 +2 +column 52\n +The body is not valid JSON\..* column 52\.$/m)
  t.regex(stderr, /^What a code means, and how to fix it: .* explain CODE$/m)
  t.true(
    stderr.includes(
      `Written: ${path('failed.ndjson')} (data of customers: readable for you alone, mode 600)`,
    ),
  )
  t.is((await stat(path('failed.ndjson'))).mode & 0o777, 0o600)
  t.notRegex(stderr, /31\.1\.2025/)
})

test('the table of errors goes to stdout where that is asked for, and nothing else does', async (t) => {
  const { put, validate, path, text, names } = await offline(t)
  const file = await put('a.ndjson', lines)
  const printed = await validate([file, '--errors', '-'])
  const before = await names()
  await validate([file, '--errors', path('errors.csv')])
  t.is(printed.stdout, await text('errors.csv'))
  t.regex(printed.stderr, /^Checked 4 accounts/)
  t.deepEqual(before, ['a.ndjson'])
  for (const args of [
    ['--errors', '-', '--json'],
    ['--errors', '-', '--failures', '-'],
  ])
    t.is((await validate([file, ...args])).code, 2)
})

test('an input without accounts is a failure, unless it may be empty', async (t) => {
  const { put, validate, summary } = await offline(t)
  for (const content of ['', '\n\n']) {
    const file = await put('empty.ndjson', content)
    const { code, stderr } = await validate([file])
    t.is(code, 1)
    t.regex(stderr, /^The input holds no account on \d lines\. .*--allow-empty$/m)
    t.is((await summary([file], 1)).accounts, 0)
    t.is((await validate([file, '--allow-empty'])).code, 0)
  }
})

test('a zip archive is told apart, with what to do', async (t) => {
  const { put, validate } = await offline(t)
  const { code, stderr } = await validate([await put('a.zip', Buffer.from('504b0304140000000800', 'hex'))])
  t.is(code, 2)
  t.regex(stderr, /^The file is a zip archive\. .*unzip -p/)
})

test('a service that is not configured rightly does not stop a check that needs none', async (t) => {
  const { put, validate } = await offline(t)
  const file = await put('a.ndjson', valid)
  const wrong = { DATABASE_URL: 'postgres://x', TOKEN_SIGNING_KEY: 'short', PAYMENT_VENDORS: '/nowhere' }
  t.is((await validate([file], wrong)).code, 0)
  const { code, stderr } = await validate([file], { ...wrong, TIME_ZONE: 'Mars' })
  t.is(code, 2)
  t.regex(stderr, /TIME_ZONE/)
  t.notRegex(stderr, /DATABASE_URL/)
})
