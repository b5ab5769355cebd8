import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { account } from './support/accounts.js'
import { offline, validateProcess, type Summary } from './support/offline.js'

const lines = [account('A-1'), account('A-2'), { import_supplier: 'S' }].map((each) => JSON.stringify(each))
const text = lines.join('\n')

const forms: Readonly<Record<string, Uint8Array | string>> = {
  'lines with a line feed each': `${text}\n`,
  'a last line without line feed': text,
  'lines that end with CRLF': `${lines.join('\r\n')}\r\n`,
  'a byte order mark': `\ufeff${text}\n`,
  'gzip under any name': gzipSync(text),
  'gzip in several members': Buffer.concat([gzipSync(`${lines[0]}\n`), gzipSync(lines.slice(1).join('\n'))]),
}

for (const [name, content] of Object.entries(forms))
  test.serial(`reads ${name}`, async (t) => {
    const { put, summary, text: read } = await offline(t)
    const file = await put('accounts', content)
    const found = await summary([file, '--errors', `${file}.csv`], 1)
    t.like(found, { lines: 3, accounts: 3, valid: 2, failed: 1 })
    t.is(found.file.sha256, createHash('sha256').update(content).digest('hex'))
    t.is(found.file.bytes, Buffer.byteLength(content))
    t.regex(
      await read('accounts.csv'),
      /\r\n3,,error,external_account_number,required,[^\r]+\r\n3,,error,customers,required,[^\r]+\r\n$/,
    )
  })

for (const [name, content] of [
  ['plain', Buffer.from(text)],
  ['packed by gzip', gzipSync(text)],
] as const)
  test.serial(`reads the standard input, ${name}, in parts as small as one byte`, async (t) => {
    const { child, outcome } = validateProcess(['-', '--json', '--workers', '2'])
    for (const part of [content.subarray(0, 1), content.subarray(1, 2), content.subarray(2)]) {
      child.stdin?.write(part)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    child.stdin?.end()
    const { code, stdout, stderr } = await outcome
    t.is(code, 1, stderr)
    t.like(JSON.parse(stdout) as Summary, { accounts: 3, valid: 2, failed: 1 })
    t.is(stderr, '', 'no progress where there is no terminal')
  })

test.serial('blank lines are no accounts, and count for the numbers of lines', async (t) => {
  const { put, summary, text: read } = await offline(t)
  const file = await put('a.ndjson', `\ufeff\n  \n\r\n${lines[0]}\n\t\n{}\n\n`)
  t.like(await summary([file, '--errors', `${file}.csv`], 1), { lines: 7, accounts: 2, valid: 1 })
  t.regex(await read('a.ndjson.csv'), /\r\n6,,error,import_supplier,required,/)
})

test.serial('a file without accounts has no failures, is told as such, and may be allowed', async (t) => {
  const { put, summary, text: read } = await offline(t)
  const file = await put('a.ndjson', '')
  t.like(await summary([file, '--allow-empty', '--report', `${file}.html`], 0), {
    lines: 0,
    accounts: 0,
    failed: 0,
  })
  t.regex(await read('a.ndjson.html'), /The file holds no account\./)
})

test.serial('gzip that is damaged or cut short ends the run, and nothing is written', async (t) => {
  const { put, validate, names } = await offline(t)
  const packed = gzipSync(text)
  const file = await put('a.gz', packed.subarray(0, packed.length - 12))
  const { code, stdout, stderr } = await validate([file, '--json', '--failures', `${file}.failed`])
  t.is(code, 3)
  t.regex(stderr, /gzip data is damaged or cut short/)
  t.like(JSON.parse(stdout), { error: { code: 'input_unreadable' } })
  t.deepEqual(await names(), ['a.gz'])
})

for (const [name, content] of [
  ['one account over several lines', JSON.stringify(account('A'), null, 2)],
  ['an array of accounts', JSON.stringify([account('A'), account('B')])],
  ['an array over several lines', `\n${JSON.stringify([account('A')], null, 1)}`],
  ['an array of more than 5 MiB on one line', `[${`${lines[0]},`.repeat(3000)}1]`],
] as const)
  test.serial(`${name} is refused with the command that makes lines of it`, async (t) => {
    const { put, validate } = await offline(t)
    const { code, stderr } = await validate([await put('a.json', content)])
    t.is(code, 2)
    t.regex(stderr, /one account a line.*jq -c/)
  })

test.serial('UTF-16 is refused by its name', async (t) => {
  const { put, validate } = await offline(t)
  const file = await put('a.ndjson', Buffer.from(`\ufeff${text}`, 'utf16le'))
  const { code, stderr } = await validate([file])
  t.is(code, 2)
  t.regex(stderr, /UTF-16/)
})
