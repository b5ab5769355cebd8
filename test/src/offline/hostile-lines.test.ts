import { appendFile, truncate } from 'node:fs/promises'
import test from 'ava'
import { account } from './support/accounts.js'
import { offline, validateProcess, type Summary } from './support/offline.js'

const limit = 5 * 1024 * 1024
const good = JSON.stringify(account('GOOD'))

/** A line of so many bytes that is JSON: the account, and blanks. */
const padded = (bytes: number): string => good + ' '.repeat(bytes - Buffer.byteLength(good))

const nested = (levels: number): string =>
  JSON.stringify(account('DEEP', { metadata: [] })).replace(
    '"metadata":[]',
    `"metadata":[{"key":"k","value":${'{"a":'.repeat(levels - 3)}1${'}'.repeat(levels - 3)}}]`,
  )

test.serial('each line that cannot be read gets the code that a request would get', async (t) => {
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
  const rows = (await text('a.ndjson.csv')).split('\r\n').slice(1, -1)
  t.deepEqual(
    rows.map((row) =>
      row
        .split(',')
        .filter((_, at) => [0, 2, 3, 4].includes(at))
        .join(' '),
    ),
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

test.serial(
  'a line of 5 MiB is read, one byte more is too large, with LF, with CRLF and at the end',
  async (t) => {
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
  },
)

/** The outcome of validating a file in a process of its own, and the most memory that this took, in KiB. */
const withMemory = async (file: string) => {
  const tell = `process.on('exit', () => console.error('maxRSS', process.resourceUsage().maxRSS))`
  const { outcome } = validateProcess([file, '--json', '--workers', '2'], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tell)}`,
  })
  const { code, stdout, stderr } = await outcome
  const kib = Math.max(...[...stderr.matchAll(/maxRSS (\d+)/g)].map(([, number]) => Number(number)))
  return { code, stdout, stderr, kib }
}

test.serial('a line of 200 MiB takes no memory of that size', async (t) => {
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

test.serial('names such as __proto__ are fields like any other, and change nothing', async (t) => {
  const { put, summary } = await offline(t)
  const polluted = good.replace('{', '{"__proto__":{"failed":1},"constructor":1,"toString":null,')
  const file = await put('a.ndjson', `${polluted}\n${good}\n`)
  t.like(await summary([file], 0), {
    valid: 2,
    valid_with_warnings: 1,
    warnings: [{ code: 'unknown_field', accounts: 1, entries: 3 }],
  })
})

test.serial('any number of unknown names is counted, and few of them are kept apart', async (t) => {
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

test.serial(
  'a line within the limit that is nothing but small values is validated like any other',
  async (t) => {
    const { put, summary } = await offline(t)
    const full = (value: string): string =>
      `{"customers":[${`${value},`.repeat((limit - 100) / (value.length + 1))}1]}`
    const file = await put('a.ndjson', ['{}', '[]', '1', '{"a":{}}'].map(full).join('\n'))
    t.like(await summary([file, '--workers', '1'], 1), { accounts: 4, failed: 4 })
  },
)
