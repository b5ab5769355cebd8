import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { appendFile, truncate } from 'node:fs/promises'
import ava from 'ava'
import { account, invalidAccount } from './support/accounts.js'
import { offline, type Summary } from './support/offline.js'
import { bin, outcomeOf, pipedCli } from '../support/cli-process.js'
import { csvOf } from './support/csv.js'

// One after the other: each starts threads or a process.
const test = ava.serial

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
  test(`reads ${name}`, async (t) => {
    const { put, summary, text: read } = await offline(t)
    const file = await put('accounts', content)
    const found = await summary([file, '--errors', `${file}.csv`], 1)
    t.like(found, { lines: 3, accounts: 3, valid: 2, failed: 1 })
    t.is(found.file.sha256, createHash('sha256').update(content).digest('hex'))
    t.is(found.file.bytes, Buffer.byteLength(content))
    t.regex(
      await read('accounts.csv'),
      /\r\n3,"","error","external_account_number","required",[^\r]+\r\n3,"","error","customers","required",[^\r]+\r\n3,"","warning","supply_addresses","account_without_supply_points",[^\r]+\r\n$/,
    )
  })

for (const [name, content] of [
  ['plain', Buffer.from(text)],
  ['packed by gzip', gzipSync(text)],
] as const)
  test(`reads the standard input, ${name}, in parts as small as one byte`, async (t) => {
    const { summary } = await offline(t)
    const input = Readable.from([content.subarray(0, 1), content.subarray(1, 2), content.subarray(2)])
    let said = ''
    const found = await summary(['-', '--workers', '2'], 1, { input, onSaid: (stderr) => (said = stderr) })
    t.like(found, { accounts: 3, valid: 2, failed: 1 })
    t.is(said, '', 'no progress where there is no terminal')
  })

test('blank lines are not accounts, and count for line numbers', async (t) => {
  const { put, summary, text: read } = await offline(t)
  const file = await put('a.ndjson', `\ufeff\n  \n\r\n${lines[0]}\n\t\n{}\n\n`)
  t.like(await summary([file, '--errors', `${file}.csv`], 1), { lines: 7, accounts: 2, valid: 1 })
  t.regex(await read('a.ndjson.csv'), /\r\n6,"","error","import_supplier","required",/)
})

test('damaged or cut gzip ends the run, and nothing is written', async (t) => {
  const { put, validate, names } = await offline(t)
  const packed = gzipSync(text)
  const file = await put('a.gz', packed.subarray(0, packed.length - 12))
  const { code, stdout, stderr } = await validate([file, '--json', '--failures', `${file}.failed`])
  t.is(code, 3)
  t.regex(stderr, /gzip data is damaged or cut short/)
  t.like(JSON.parse(stdout), { error: { code: 'input_unreadable' } })
  t.deepEqual(await names(), ['a.gz'])
})

test('gzip in several members with other bytes between them is refused, not read in part', async (t) => {
  const { put, validate } = await offline(t)
  const [first, second] = [gzipSync(text), gzipSync(`\n${lines[0]}\n`)]
  for (const between of [Buffer.alloc(512), Buffer.alloc(1), Buffer.from('x')]) {
    const padded = await put('padded.gz', Buffer.concat([first, between, second]))
    const { code, stderr } = await validate([padded])
    t.is(code, 3)
    t.regex(stderr, /gzip data (?:has bytes behind it|is damaged)/)
  }
})

const toLines = /one account a line.*array/

for (const [name, content, advice] of [
  ['one account over several lines', JSON.stringify(account('A'), null, 2), toLines],
  ['text in UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), /UTF-16/],
  [
    'text in UTF-16 without a mark',
    Buffer.from(text, 'utf16le'),
    /^The file is in UTF-16 .*Save it as UTF-8/,
  ],
  ['text in UTF-16 of the other order', Buffer.from(text, 'utf16le').swap16(), /^The file is in UTF-16/],
  ['a zip archive', Buffer.from('504b0304140000000800', 'hex'), /^The file is a zip archive\. .*unzip -p/],
  ['zstd', Buffer.from('28b52ffd2400', 'hex'), /^The file is compressed with zstd\. .*zstd -dc/],
  ['bzip2', Buffer.from('425a6839314159265359', 'hex'), /^The file is compressed with bzip2\. .*bunzip2 -c/],
  ['xz', Buffer.from('fd377a585a000004', 'hex'), /^The file is compressed with xz\. .*xz -dc/],
  ['lz4', Buffer.from('04224d186440', 'hex'), /^The file is compressed with lz4\./],
  ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /^The file is an Excel workbook\. .*CSV UTF-8/],
] as const)
  test(`${name} is refused with the remedy`, async (t) => {
    const { put, validate } = await offline(t)
    const { code, stderr } = await validate([await put('a.json', content)])
    t.is(code, 2)
    t.regex(stderr, advice)
  })

const limit = 5 * 1024 * 1024
const good = JSON.stringify(account('GOOD'))

/** A JSON line of this number of bytes: the account and blanks. */
const padded = (bytes: number): string => good + ' '.repeat(bytes - Buffer.byteLength(good))

const nested = (levels: number): string =>
  JSON.stringify(account('DEEP', { metadata: [] })).replace(
    '"metadata":[]',
    `"metadata":[{"key":"k","value":${'{"a":'.repeat(levels - 3)}1${'}'.repeat(levels - 3)}}]`,
  )

test('each unreadable line gets the code that a request gets', async (t) => {
  const { put, summary, text } = await offline(t)
  const file = await put(
    'a.ndjson',
    Buffer.concat([
      Buffer.from(`{"import_supplier": \n`),
      Buffer.from([0x22, 0xc3, 0x28, 0x22, 0x0a]),
      Buffer.from(`${nested(32)}\n${nested(33)}\n${good}\n`),
      Buffer.from(`${'['.repeat(100_000)}\n`),
      Buffer.from('"text"\nnull\n[]\n{"a":1,"a":2}\n'),
    ]),
  )
  t.like(await summary([file, '--errors', `${file}.csv`], 1), { lines: 10, accounts: 10, valid: 2 })
  const rows = csvOf((await text('a.ndjson.csv')).slice(1)).slice(1)
  t.deepEqual(
    rows.map((row) => row.filter((_, at) => [0, 2, 3, 4].includes(at)).join(' ')),
    [
      '1 error  parse_error',
      '2 error  invalid_encoding',
      '4 error  payload_too_deep',
      '6 error  payload_too_deep',
      '7 error  not_a_dict',
      '8 error  null',
      '9 error  not_a_dict',
      '10 error  parse_error',
    ],
  )
})

test('a line of 5 MiB is read and one more byte is too large, with LF, with CRLF and at the end', async (t) => {
  const { put, summary, text, bytes } = await offline(t)
  const lines = [
    `${padded(limit)}\n`,
    `${padded(limit)}\r\n`,
    `${padded(limit + 1)}\n`,
    `${padded(limit + 1)}\r\n`,
  ]
  const long = [`${padded(limit + 700_000)}\n`, `${padded(3 * limit)}\n`, `${good}\n`, padded(2 * limit)]
  const file = await put('a.ndjson', [...lines, ...long].join(''))
  const outputs = ['--errors', `${file}.csv`, '--failures', `${file}.failed`]
  t.like(await summary([file, ...outputs], 1), {
    lines: 8,
    accounts: 8,
    valid: 3,
    errors: [{ code: 'payload_too_large', accounts: 5, entries: 5 }],
  })
  t.deepEqual(
    [...(await text('a.ndjson.csv')).matchAll(/^(\d+),/gm)].map(([, line]) => Number(line)),
    [3, 4, 5, 6, 8],
  )
  const failed = [lines[2], lines[3], long[0], long[1], long[3]].join('')
  t.true(
    (await bytes('a.ndjson.failed')).equals(Buffer.from(failed)),
    'also long lines come back as they were',
  )
})

/** The outcome of validating a file in a process of its own, and its peak memory in KiB. */
const withMemory = async (file: string) => {
  const tell = `process.on('exit', () => console.error('maxRSS', process.resourceUsage().maxRSS))`
  const { outcome } = pipedCli(['validate', file, '--json', '--workers', '2'], preload(tell))
  const { code, stdout, stderr } = await outcome
  const kib = Math.max(...[...stderr.matchAll(/maxRSS (\d+)/g)].map(([, number]) => Number(number)))
  return { code, stdout, stderr, kib }
}

test('a line of 200 MiB takes no memory of that size', async (t) => {
  const { put } = await offline(t)
  const small = await withMemory(await put('small.ndjson', `${good}\n${good}\n`))
  const file = await put('a.ndjson', `${good}\n`)
  // A hole in the file reads as zeros; it has no line feed.
  await truncate(file, 200 * 1024 * 1024)
  await appendFile(file, `\n${good}\n`)
  const { code, stdout, stderr, kib } = await withMemory(file)
  t.is(code, 1, stderr)
  t.like(JSON.parse(stdout) as Summary, { lines: 3, accounts: 3, valid: 2 })
  t.true(small.kib > 0 && kib - small.kib < 200 * 1024, `${small.kib} KiB without the line; ${stderr}`)
})

test('any number of unknown names is counted, and few of them are kept', async (t) => {
  const { put, summary, text } = await offline(t)
  const line = (at: number): string =>
    JSON.stringify(
      account(`A-${at}`, Object.fromEntries(Array.from({ length: 100 }, (_, key) => [`u${at}_${key}`, 1]))),
    )
  const file = await put('a.ndjson', Array.from({ length: 50 }, (_, at) => line(at)).join('\n'))
  t.like(await summary([file, '--report', `${file}.html`], 0), {
    warnings: [{ code: 'unknown_field', accounts: 50, entries: 5000 }],
  })
  const report = await text('a.ndjson.html')
  t.true(report.includes('other fields'))
  t.true(report.length < 200_000)
})

const accountLine = `${JSON.stringify(account('A'))}\n`

const preload = (script: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
})

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  test(`${signal} ends the run with ${code} and leaves no file`, async (t) => {
    const { path, names } = await offline(t)
    const args = ['--failures', path('f'), '--errors', path('e'), '--report', path('r')]
    const { child, outcome } = pipedCli(['validate', '-', ...args])
    child.stdin.write(accountLine.repeat(200))
    while ((await names()).length < 3) await new Promise((resolve) => setTimeout(resolve, 20))
    t.true(
      (await names()).every((name) => name.endsWith('.part')),
      'no output has its name yet',
    )
    child.kill(signal)
    const ended = await outcome
    t.is(ended.code, code, ended.stderr)
    t.regex(ended.stderr, /Stopped before the end; no file was written\./)
    t.deepEqual(await names(), [])
  })

for (const [name, crash] of [
  ['throws', `throw new Error('worker-canary')`],
  ['ends by itself', 'process.exit(0)'],
  ['runs out of memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length))'],
] as const)
  test(`a worker that ${name} fails the run without any output`, async (t) => {
    const { put, names, path } = await offline(t)
    const file = await put('a.ndjson', accountLine.repeat(2000))
    const { outcome } = pipedCli(
      ['validate', file, '--json', '--workers', '2', '--failures', path('f'), '--report', path('r')],
      preload(
        `import { isMainThread } from 'node:worker_threads'; if (!isMainThread) setTimeout(() => { ${crash} }, 1)`,
      ),
    )
    const { code, stdout, stderr } = await outcome
    t.is(code, 3, stderr)
    t.like(JSON.parse(stdout), { error: { code: 'worker_failed' } })
    t.notRegex(stderr, /worker-canary/)
    t.deepEqual(await names(), ['a.ndjson'])
  })

test('a result that cannot be written is a failure on stderr, with another code than failed data', async (t) => {
  const { put, text, path } = await offline(t)
  const file = await put('a.ndjson', `${JSON.stringify(invalidAccount('A'))}\n`)
  const script = 'exec "$0" "$1" validate "$2" --json --errors "$3" > /dev/full'
  const ended = await outcomeOf(
    spawn('sh', ['-c', script, process.execPath, bin, file, path('e')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  t.deepEqual(ended, { code: 3, stdout: '', stderr: 'The results cannot be written (ENOSPC).\n' })
  t.true((await text('e')).length > 0)
})

test('a closed reader changes neither the exit code nor the files', async (t) => {
  const { put, text, path } = await offline(t)
  const file = await put('a.ndjson', `${JSON.stringify(invalidAccount('A'))}\n`)
  const { child, outcome } = pipedCli(['validate', file, '--json', '--failures', path('f')])
  child.stdout.destroy()
  const { code, stderr } = await outcome
  t.deepEqual([code, stderr], [1, ''])
  t.is(await text('f'), await text('a.ndjson'))
})
