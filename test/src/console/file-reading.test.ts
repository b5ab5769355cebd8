import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { checkFile, checkInThisThread, FileSource } from '@account-import/console/browser'
import { builtInSettings } from '@account-import/core'
import { plainContext } from '@account-import/core/payloads'
import test from 'ava'
import { sample } from '../support/samples.js'

const context = { ...plainContext, settings: builtInSettings }
const suppliers = [{ code: 'LEVANTE', context }]

const account = (number: string, fields: object = {}): string =>
  JSON.stringify({
    ...sample('gas-account.json'),
    import_supplier: 'LEVANTE',
    external_account_number: number,
    ...fields,
  })

/** Checks a file of these bytes, and returns its totals and tables. */
const check = async (bytes: Uint8Array | string, name = 'accounts.ndjson') => {
  const { result, sha256 } = await checkFile(
    new File([bytes], name),
    checkInThisThread(suppliers),
    () => undefined,
  )
  const { totals, valid, failures, findings } = result
  return { ...totals, sha256, valid, failures: await failures.text(), findings: await findings.text() }
}

const codes = ({ codes: found }: Awaited<ReturnType<typeof check>>): readonly string[] =>
  found.filter(({ severity }) => severity === 'error').map(({ code }) => code)

test('a source counts and hashes the bytes of the file, and yields the decompressed content', async (t) => {
  const content = randomBytes(300_000)
  for (const bytes of [content, gzipSync(content)]) {
    const source = new FileSource(new File([bytes], 'any'))
    const chunks: Uint8Array[] = []
    for await (const chunk of source.content()) chunks.push(chunk)
    t.deepEqual(Buffer.concat(chunks), content)
    t.is(source.bytes, bytes.length)
    t.is(source.sha256(), createHash('sha256').update(bytes).digest('hex'))
  }
})

test('gzip data that is cut short is refused', async (t) => {
  const whole = gzipSync(account('A-1'))
  await t.throwsAsync(check(whole.subarray(0, -9)), { message: /gzip data is damaged, cut short/ })
})

test('lines, an array, gzip, a byte order mark, CRLF and a missing last line end give the same outcome', async (t) => {
  const lines = [account('Ñ-1'), account('€-2', { customers: 'nobody' }), account('𝄞-3')]
  const files = {
    lines: `${lines.join('\n')}\n`,
    unended: lines.join('\n'),
    returns: lines.join('\r\n'),
    mark: `\ufeff${lines.join('\n')}`,
    array: `[${lines.join(',')}]`,
    indented: JSON.stringify(
      lines.map((line) => JSON.parse(line) as object),
      undefined,
      2,
    ),
    gzip: gzipSync(lines.join('\n')),
  }
  const expected = await check(files.lines)
  t.deepEqual(codes(expected), ['not_a_list'])
  t.like(expected, { accounts: 3, failed: 1, lines: 3 })
  t.regex(
    expected.failures,
    /^"external_account_number","line","step","codes","fields"\r\n"€-2",2,"validate","not_a_list","customers"\r\n$/,
  )
  for (const [name, bytes] of Object.entries(files)) {
    const found = await check(bytes)
    t.deepEqual([found.failures, found.findings], [expected.failures, expected.findings], name)
    t.is(found.valid, 2, name)
  }
})

test('an account of a supplier that the service does not have is refused, and others have their settings', async (t) => {
  const found = await check(`${account('A-1', { import_supplier: 'NONE' })}\n${account('A-2')}`)
  t.deepEqual(codes(found), ['import_supplier_does_not_exist'])
  const strict = [
    {
      code: 'LEVANTE',
      context: {
        ...context,
        settings: {
          ...builtInSettings,
          closedLists: { ledger_code: { members: ['NO'], severity: 'error' as const } },
        },
      },
    },
  ]
  const { result } = await checkFile(
    new File([account('A-2')], 'one'),
    checkInThisThread(strict),
    () => undefined,
  )
  t.true(result.totals.codes.some(({ code }) => code === 'not_in_supplier_list'))
})

test('the scripts of the pages that read files stay small, and need nothing of Node.js', (t) => {
  const limits = { worker: 150_000, check: 8_000, proof: 8_000 }
  for (const [name, limit] of Object.entries(limits)) {
    const script = readFileSync(new URL(`../../../packages/console/assets/${name}.js`, import.meta.url))
    const { length } = gzipSync(script, { level: 9 })
    t.true(
      length > 1000 && length <= limit,
      `${name}.js has ${length} bytes gzipped, at most ${limit} are allowed`,
    )
    t.notRegex(script.toString(), /(?:from|import)\s*[`"']node:/)
  }
})
