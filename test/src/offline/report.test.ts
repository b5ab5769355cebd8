import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import ava, { type ExecutionContext } from 'ava'
import { catalogue } from '@account-import/core'
import { account, invalidAccount } from './support/accounts.js'
import { anchorsOf } from '../docs/anchors-of.js'
import { root } from '../support/repository.js'
import { offline } from './support/offline.js'

// One after the other: each starts threads.
const test = ava.serial

/** Every text replaced by a canary, every list and object kept: an account that is wrong nearly everywhere. */
const canaries = (value: unknown): unknown => {
  if (typeof value === 'string') return `CANARY<b>&"${value.length}`
  if (typeof value === 'number') return 424_242_424_242
  if (Array.isArray(value)) return value.map(canaries)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, canaries(each)]))
}

const hostile = {
  ...(canaries(account('x')) as object),
  external_account_number: 'NUMBER-CANARY',
  'CANARY key': 1,
}

/** Elements that are opened and not closed in order, if there are any. */
const unbalanced = (page: string): readonly string[] => {
  const open: string[] = []
  const empty = new Set(['meta', 'br', 'wbr'])
  for (const [, end, name = '', own] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*?(\/?)>/g)) {
    if (own === '/' || empty.has(name)) continue
    if (end === '') open.push(name)
    else if (open.pop() !== name) return [`</${name}>`]
  }
  return open
}

test('no value of an account is in the report or on the terminal, and its number is in the table only', async (t) => {
  const { put, validate, text, path } = await offline(t)
  const file = await put('a.ndjson', `${JSON.stringify(hostile)}\n{"CANARY": "CANARY\n`)
  const args = [file, '--report', path('r.html'), '--errors', path('e.csv')]
  const { code, stdout, stderr } = await validate(args)
  t.is(code, 1)
  const report = await text('r.html')
  for (const shown of [stdout, stderr, report]) t.notRegex(shown, /CANARY|424242/)
  const table = await text('e.csv')
  t.regex(table, /^1,"NUMBER-CANARY","error",/m)
  t.notRegex(table.replaceAll('NUMBER-CANARY', ''), /CANARY|424242/)
})

/** The report of a file with this content, as HTML and as words, and the output of the run. */
const reportOf = async (t: ExecutionContext, content: string, code: number, ...args: readonly string[]) => {
  const { put, summary, text, path } = await offline(t)
  const file = await put('a <b>&.ndjson', content)
  const found = await summary([file, '--report', path('r.html'), ...args], code)
  const report = await text('r.html')
  const words = report
    .replaceAll(/<wbr \/>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll(/\s+/g, ' ')
  return { report, words, found }
}

test('the report is one page that loads and runs nothing', async (t) => {
  const { report } = await reportOf(t, `${JSON.stringify(invalidAccount('A'))}\n`, 1)
  t.notRegex(report, /\bsrc=|<script|<link|<img|@import|url\(|style="|\son\w+=/)
  const addresses = [...report.matchAll(/https?:[^"<\s]*/g)].map(([address]) => address)
  const links = [...report.matchAll(/<a\s+href="(https:[^"]*)"/g)].map(([, address]) => address)
  t.deepEqual(addresses, links, 'other addresses than those that a reader may follow')
  t.regex(report, /<h1>Validation of a &lt;b&gt;&amp;\.ndjson<\/h1>/)
  t.deepEqual(unbalanced(report), [])
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(report) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = report.replaceAll('&#39;', "'")
  t.true(
    policy.includes(`default-src 'none'; style-src 'sha256-${hash}'`),
    'the page allows its own style only',
  )
  const ids = [...report.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
  t.is(new Set(ids).size, ids.length)
  for (const [, target] of report.matchAll(/href="#([^"]+)"/g)) t.true(ids.includes(target), target)
})

test('the report has counts, codes, places and remedies', async (t) => {
  const lines = [
    account('A'),
    invalidAccount('B'),
    account('C', { colour: 1 }),
    account('D', { customers: [{}, { email: 1 }] }),
  ]
  const content = lines.map((line) => JSON.stringify(line)).join('\n')
  const { report, words, found } = await reportOf(t, content, 1, '--today', '2028-02-29')
  t.regex(words, /2 accounts of 4 fail validation/)
  t.regex(words, /of these with warnings 1 25\.0%/)
  for (const { code } of found.errors) {
    const { detail } = catalogue[code as keyof typeof catalogue]
    t.true(report.includes(`id="error-${code}"`), code)
    if (!detail.includes('{')) t.true(words.includes(detail), code)
  }
  t.regex(words, /customers\[\]\.email/)
  t.regex(words, /line 4 customers\.1\.email/)
  t.regex(words, /At most 128 characters|At most \d+ characters/)
  t.notRegex(words, /\{(max|min|allowed)\}|undefined|NaN/)
  t.regex(words, /Day 2028-02-29/)
  t.true(words.includes(found.file.sha256))
  t.regex(words, /Not checked here .*supplier.*team.*documents/)
})

test('the report of an account without findings has no tables of errors', async (t) => {
  const { report } = await reportOf(t, JSON.stringify(account('A')), 0)
  t.regex(report, /Every account is valid, without any warning\./)
  t.notRegex(report, /Errors by code|Errors to correct|Where it is worst|comes? more than once/)
})

test('examples are the first lines with an error at a field, each line once', async (t) => {
  const line = JSON.stringify(account('A', { customers: [{ email: 1 }, { email: 2 }] }))
  const { words } = await reportOf(t, `${line}\n\n${line}\n${line}\n`, 1)
  t.regex(
    words,
    /customers\[\]\.email .*?Give an e-mail address such as name@example\.com\. E-mail address of the customer's own, .*? 3 6 line 1 customers\.0\.email also line 3, line 4 /,
  )
})

test('every code and every field of the payload links to its documentation', async (t) => {
  const { report, found } = await reportOf(t, `${JSON.stringify(hostile)}\n{\n`, 1)
  const fields = anchorsOf('docs/reference/fields.md')
  const tables = [...report.matchAll(/href="https:[^"]*\/docs\/reference\/fields\.md#([^"]*)"/g)]
  for (const [link, anchor = ''] of tables) t.true(fields.has(anchor), link)
  const codes = [...report.matchAll(/href="https:[^"]*\/(docs\/errors\/(\w+)\.md)"/g)]
  for (const [link, page = ''] of codes) t.true(existsSync(join(root, page)), link)
  const linked = new Set([...tables.map(([, anchor]) => anchor), ...codes.map(([, , code]) => code)])
  for (const { code } of found.errors) t.true(linked.has(code), code)
  for (const table of ['account', 'customer', 'note', 'ledger']) t.true(linked.has(table), table)
  t.regex(report, /<code>customers\[\]\.<wbr \/>email<\/code><\/a>/)
})

test('the report has a bounded length for any number of accounts', async (t) => {
  const of = async (accounts: number): Promise<string> =>
    (await reportOf(t, `${JSON.stringify(hostile)}\n`.repeat(accounts), 1)).report
  const [few, page] = [await of(20), await of(400)]
  t.true(page.length < 1.1 * few.length, `${few.length} characters for 20 accounts, ${page.length} for 400`)
  t.regex(page, /<a href="#every-line">and 395 more<\/a>/)
  t.regex(page, /is written with the option <code>--errors FILE<\/code>/)
})
