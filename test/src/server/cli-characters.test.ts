import { writeFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { runCli } from '@account-import/server'
import { cliInProcess } from '../support/cli-in-process.js'
import { listen } from '../support/http-server.js'
import { tempFolder } from '../support/temp-folder.js'

/** Characters that steer a terminal, turn the direction of writing, or cannot be seen. */
const steering =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\0-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u

const hostile =
  'a\u001b[2J\u0007\r\u007f\u0085\u009b31m\u061c\u200b\u200f\u2028\u2029\u202e\u2060\u2066\ufeff\u00ad\u{e0041}z'

const shown = String.raw`\u009b31m\u061c\u200b\u200f\u2028\u2029\u202e\u2060\u2066\ufeff\u00ad\udb40\udc41z`

test('text from the database steers no terminal, and JSON of it stays equal', async (t) => {
  const environment = { DATA_DIR: await tempFolder(t) }
  const created = await cliInProcess(['organisation', 'create', 'ACME', '--name', hostile], environment)
  t.is(created.code, 0, created.stderr)
  const list = await cliInProcess(['organisation', 'list'], environment)
  t.notRegex(list.stdout, steering)
  t.true(list.stdout.includes(shown), list.stdout)
  const json = await cliInProcess(['organisation', 'list', '--json'], environment)
  t.notRegex(json.stdout, steering)
  t.like(JSON.parse(json.stdout), [{ name: hostile }])
  const record = await cliInProcess(['audit', 'list', '--json'], environment)
  t.notRegex(record.stdout, steering)
  t.true(record.stdout.includes(shown))
  for (const wrong of [
    ['organisation', hostile],
    ['organisation', 'list', hostile],
    ['import', hostile, '--url', 'https://x', '--team', hostile],
  ])
    t.notRegex((await cliInProcess(wrong, { ...environment, ACCOUNT_IMPORT_API_KEY: 'k' })).stderr, steering)
})

test('text from a service, or from a proxy before it, steers no terminal', async (t) => {
  const port = await listen(t, (_, response) =>
    response.writeHead(400, { 'Content-Type': 'application/json' }).end(
      JSON.stringify({
        detail: hostile,
        code: hostile,
        errors: [{ detail: hostile, code: 'c', attr: hostile }],
      }),
    ),
  )
  const args = ['status', 'S', '--url', `http://127.0.0.1:${port}`]
  for (const options of [[], ['--json']]) {
    const { code, stdout, stderr } = await cliInProcess([...args, ...options], {
      ACCOUNT_IMPORT_API_KEY: 'k',
    })
    t.is(code, 2)
    t.notRegex(stdout + stderr, steering)
    t.true(stderr.includes(shown), stderr)
  }
})

test('the view of an import on a terminal has no text of a service that steers it', async (t) => {
  const token = {
    token: 'T',
    refreshToken: 'R',
    expiresAt: '2099-01-01T00:00:00Z',
    refreshExpiresAt: '2099-01-01T00:00:00Z',
  }
  const port = await listen(t, (request, response) => {
    const isLogin = request.url === '/v1/graphql/'
    response
      .writeHead(isLogin ? 200 : 503, { 'Content-Type': 'application/json' })
      .end(
        JSON.stringify(
          isLogin ? { data: { obtainToken: token } } : { detail: hostile, code: 'c', errors: [] },
        ),
      )
  })
  const file = join(await tempFolder(t), 'a.ndjson')
  await writeFile(file, '{}\n')
  const written: string[] = []
  const stream = new PassThrough().setEncoding('utf8').on('data', (text: string) => written.push(text))
  const args = ['import', file, '--team', 'T', '--url', `http://127.0.0.1:${port}`, '--retry-for', '2']
  const code = await runCli(args, {
    environment: { ACCOUNT_IMPORT_API_KEY: 'k' },
    out: () => undefined,
    err: () => undefined,
    terminal: Object.assign(stream, { isTTY: true, columns: 400 }) as unknown as NodeJS.WriteStream,
  })
  t.is(code, 3)
  t.true(written.join('').includes('Trying again: a'), written.join(''))
  t.false(written.join('').includes('\u001b[2J\u0007'))
  // The bar's own sequences apart.
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  t.notRegex(written.join('').replaceAll(/\u001b\[[0-9;?]*[A-Za-z]|\r/g, ''), steering)
})

test('nothing but the process itself and the log, which sees to it, writes to the output', (t) => {
  const sources = fileURLToPath(new URL('../../../packages/server/src/', import.meta.url))
  const writing = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .filter((path) =>
      /process\.(?:stdout|stderr)|\bconsole\./.test(readFileSync(join(sources, path), 'utf8')),
    )
  t.deepEqual(writing.toSorted(), ['log/create-log.ts', 'main.ts'])
})

test('JSON as others wrote it stays equal, whatever stands between its values', async (t) => {
  const dist = new URL('printable.js', import.meta.resolve('@account-import/server')).href
  const { printable, withoutReturns } = (await import(dist)) as Record<string, (text: string) => string>
  const text = '\r{\r\n"a" :\t"x\u0085\u202e\u{e0041}",\r"b":[1e999,\r1.50]}\r'
  const written = printable?.(withoutReturns?.(text) ?? '') ?? ''
  t.notRegex(written.replaceAll('\r\n', ''), steering)
  t.deepEqual(JSON.parse(written), JSON.parse(text))
})
