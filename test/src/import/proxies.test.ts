import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import ava, { type ExecutionContext } from 'ava'
import { createClient } from '@account-import/client'
import { findExecutable, freePort, nginxAvailable, until } from '../servers/index.js'
import { listen } from '../support/http-server.js'
import { textOf } from '../support/repository.js'
import { gasAccount } from '../support/samples.js'
import { tempFolder } from '../support/temp-folder.js'
import { importedOf, importing, startImportServer, type ImportServer } from './support/importing.js'

const test = ava.serial

let server: ImportServer
ava.before(async () => {
  server = await startImportServer()
})
ava.after.always(() => server.stop())

const [, settings = ''] = /```nginx\n([^`]+)```/.exec(textOf('docs/how-to/run-behind-a-proxy.md')) ?? []

/** The settings of Debian's nginx where none is made: bodies of at most 1 MB, collected before they are passed on. */
const unset = 'location / { proxy_pass http://127.0.0.1:8080; }'

/** The address of an nginx before the service. */
const startNginx = async (t: ExecutionContext, location: string): Promise<string> => {
  const [folder, port] = [await tempFolder(t), await freePort()]
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')
  const own = location.replace('http://127.0.0.1:8080', server.address)
  await writeFile(
    `${folder}/nginx.conf`,
    `user root; daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths} server { listen 127.0.0.1:${port}; ${own} } }`,
  )
  const nginx = spawn(findExecutable('nginx') ?? '', ['-p', folder, '-c', `${folder}/nginx.conf`], {
    stdio: 'ignore',
  })
  t.teardown(async () => {
    const ended = once(nginx, 'exit')
    nginx.kill('SIGTERM')
    await ended
  })
  const address = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(`${address}/livez`)).ok, 'nginx')
  return address
}

/** Accounts with notes of this many characters. */
const longLines = (supplier: string, count: number, characters: number): string =>
  Array.from({ length: count }, (_, at) =>
    JSON.stringify({
      ...gasAccount(supplier, `L-${at}`),
      notes: [{ body: 'Nota. '.repeat(characters / 6) }],
    }),
  ).join('\n')

if (nginxAvailable()) {
  test('requests of 1.5 MB pass nginx with the settings of the documentation, each once', async (t) => {
    const { database, put, run, client } = await importing(t, server)
    const file = await put('a.ndjson', longLines(database.supplier, 200, 9000))
    const address = await startNginx(t, settings)
    const { code, stdout, stderr } = await run([
      'import',
      file,
      '--team',
      database.team,
      '--url',
      address,
      '--json',
    ])
    t.is(code, 0, stdout + stderr)
    t.like(JSON.parse(stdout), { created: 200, run: { retries: 0 } })
    t.is((await importedOf(client, database.supplier)).size, 200)
  })

  test('a request that a proxy finds too large is sent in halves', async (t) => {
    const { database, put, run } = await importing(t, server)
    const file = await put('a.ndjson', longLines(database.supplier, 200, 9000))
    const address = await startNginx(t, unset)
    const { code, stdout, stderr } = await run([
      'import',
      file,
      '--team',
      database.team,
      '--url',
      address,
      '--json',
    ])
    t.is(code, 0, stdout + stderr)
    t.like(JSON.parse(stdout), { created: 200, failed: 0 })
  })

  test('an account that a proxy finds too large ends the import with the page of the proxy, and is not refused', async (t) => {
    const { database, put, run } = await importing(t, server)
    const account = {
      ...gasAccount(database.supplier, 'N'),
      notes: Array(150).fill({ body: 'Nota. '.repeat(1500) }),
    }
    const file = await put('a.ndjson', JSON.stringify(account))
    const address = await startNginx(t, unset)
    const { code, stderr } = await run(['import', file, '--team', database.team, '--url', address])
    t.is(code, 2, stderr)
    t.true(stderr.includes(`413 from ${address}/v1/data-import/`), stderr)
    t.regex(stderr, /"413 Request Entity Too Large"\. .* raise its limit/)
    t.notRegex(stderr, /failed 1/)
  })
}

/** The address of a proxy that answers in place of the service. */
const proxyOf = async (t: ExecutionContext, answer: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(t, (request, response) => {
    request.resume()
    request.once('end', () => answer(request, response))
  })}`

for (const [title, status, type, body, named] of [
  [
    'a firewall',
    403,
    'text/html',
    '<html><TITLE>\n Blocked\u0007 </TITLE></html>',
    '403 from ADDRESS, "Blocked"',
  ],
  ['a login', 200, 'text/html', '<title>Log in</title>', '200 from ADDRESS, "Log in"'],
  [
    'HAProxy',
    403,
    'text/html',
    '<html><body><h1>403 Forbidden</h1>\nNo.',
    '403 from ADDRESS, "403 Forbidden No."',
  ],
  [
    'a gateway',
    404,
    'application/json',
    '{"message":"no Route"}',
    '404 from ADDRESS, "{"message":"no Route"}"',
  ],
  [
    'a long title',
    500,
    'text/html',
    `<title>${'ñ'.repeat(100)}</title>`,
    `500 from ADDRESS, "${'ñ'.repeat(80)}"`,
  ],
  ['no words', 400, 'text/html', '', '400 from ADDRESS.'],
] as const)
  test(`the page of ${title} is named with status, address and title`, async (t) => {
    const baseUrl = await proxyOf(t, (_, response) =>
      response.writeHead(status, { 'content-type': type }).end(body),
    )
    const client = createClient({ baseUrl })
    const results = client.bulkValidate([gasAccount('LEVANTE', 'N')], { retrySeconds: 0 })
    const single = await client.validateAccount(gasAccount('LEVANTE', 'N'))
    for await (const result of results) {
      if (result.outcome !== 'stopped') return t.fail(result.outcome)
      t.is(result.failure.status, status)
      t.is(result.failure.code, 'unexpected_answer')
      const { detail } = result.failure.problem
      const address = `${baseUrl}/v1/data-import/account-import-process/bulk-validate/`
      t.true(detail.includes(named.replace('ADDRESS', address)), detail)
    }
    t.true(!single.ok && single.problem.detail.includes(`: ${status} from ${baseUrl}/`))
  })

const day = 'Sun, 08 Nov 2026 12:00:00 GMT'
for (const [header, seconds] of [
  ['7', 7],
  ['1.5', 1.5],
  ['Sun, 08 Nov 2026 12:00:30 GMT', 30],
  ['Sunday, 08-Nov-26 12:00:30 GMT', 30],
  ['Sun Nov  8 12:00:30 2026', 30],
  ['Sun, 08 Nov 2026 11:00:00 GMT', 0],
  ['soon', undefined],
  ['2026-11-08', undefined],
] as const)
  test(`Retry-After: ${header} is read by the clock of the service`, async (t) => {
    const baseUrl = await proxyOf(t, (_, response) =>
      response.writeHead(503, { 'retry-after': header, date: day }).end('<title>Maintenance</title>'),
    )
    const answer = await createClient({ baseUrl }).access()
    t.is(answer.ok ? undefined : answer.retryAfterSeconds, seconds)
  })
