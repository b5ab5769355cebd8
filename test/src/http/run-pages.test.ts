import test, { type ExecutionContext } from 'ava'
import { KeyRate } from '@account-import/adapter-http-koa'
import { instantOf, portFailure, scopes } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { organisation, processGas, right } from '../use-cases/support/service.js'
import { codeIn, cookieOf, refusing, runPages, sendKey } from './support/run-pages.js'
import { problemIn, serve } from './support/serve.js'

const pageAt = async (address: string, cookie: string): Promise<string> => {
  const answer = await fetch(address, { headers: { Cookie: cookie } })
  if (answer.status !== 200) throw new Error(await codeIn(answer))
  return answer.text()
}

const statusesWith = async (address: string, cookie: string): Promise<string> =>
  codeIn(await fetch(address, { headers: { Cookie: cookie } }))

test('the pages of a run and of all runs show created, refused and undone accounts, duration and key', async (t) => {
  const { baseUrl, keyOf, open, stage, useCases, clock } = await runPages(t)
  const id = await open({ label: 'Rehearsal' })
  for (const [at, number] of ['A', 'B', 'C'].entries()) await stage(id, number, at + 1)
  await stage(id, 'D', 4, refusing)
  for (const number of ['A', 'B', 'C'])
    await right(
      useCases.processAccount({
        organisation,
        payload: { ...processGas, external_account_number: number },
        importRun: { id },
      }),
    )
  clock.pass(37)
  await right(useCases.finishImportRun({ organisation, id }))
  const payload = { import_supplier_code: 'LEVANTE', external_account_numbers: ['A', 'C'] }
  const { confirmationCode: confirmation_code } = await right(useCases.previewUndo({ organisation, payload }))
  const confirmed = { ...payload, confirmation_code }
  await right(useCases.undoAccounts({ organisation, payload: confirmed, by: { who: 'key k2 (night)' } }))
  const cookie = await cookieOf(`${baseUrl}/runs/`, await keyOf())
  const [, row = ''] = /<ol class="list">(.*?)<\/ol>/s.exec(await pageAt(`${baseUrl}/runs/`, cookie)) ?? []
  t.is(
    row
      .replaceAll(/<[^>]*>|\s+/g, ' ')
      .replaceAll(/ +/g, ' ')
      .trim(),
    'Rehearsal LEVANTE · key k1 partly undone 3 created · 1 refused · 2 undone 2025-09-01 10:00:00 UTC · 37 s',
  )
  const page = await pageAt(`${baseUrl}/runs/${id}/`, cookie)
  const [, now = ''] = /<p id="now"[^>]*>(.*?)<\/p>/s.exec(page) ?? []
  t.is(
    now.replaceAll(/<[^>]*>/g, ''),
    'partly undone 3 staged, 3 created, 1 refused, 2 undone, the latest 2025-09-01 10:00:37 UTC by key k2 (night)',
  )
  t.false(page.includes('data-live'))
})

test('run pages are 404 unless they are switched on', async (t) => {
  const { baseUrl } = await serve(t, {})
  for (const path of ['/runs', '/runs/', '/runs/abc/', '/runs/log-out/'])
    for (const method of ['GET', 'POST'])
      t.is(await problemIn(t, await fetch(baseUrl + path, { method })), '404 not_found', `${method} ${path}`)
})

test('a right key gets a cookie that scripts and other sites cannot read, for the life of the token', async (t) => {
  const { baseUrl, keyOf, logged } = await runPages(t)
  const answer = await sendKey(`${baseUrl}/runs/`, ` ${await keyOf(['read'])}\n`)
  t.is(answer.status, 303)
  t.is(answer.headers.get('location'), './')
  const [cookie = ''] = answer.headers.getSetCookie()
  t.regex(cookie, /^__Host-account-import=[^;]+; Path=\/; Max-Age=3600; HttpOnly; Secure; SameSite=Strict$/)
  t.is(answer.headers.getSetCookie().length, 1)
  t.true((await pageAt(`${baseUrl}/runs/`, cookie.replace(/;.*/, ''))).includes('There is no run here'))
  t.like(logged.at(-1), { route: '/runs/', status: 200, organisation: 'ACME' })
  t.false(JSON.stringify(logged).includes(cookie.slice(24, 60)))
})

test('a wrong key, a key without the scope, and too many attempts get the form again and no cookie', async (t) => {
  const { baseUrl, keyOf } = await runPages(t)
  const runs = `${baseUrl}/runs/`
  const others = await keyOf(scopes.filter((scope) => scope !== 'read'))
  const told: string[] = []
  for (const key of [others, '', 'wrong', ...Array.from({ length: 9 }, (_, index) => `wrong-${index}`)]) {
    const answer = await sendKey(runs, key)
    t.deepEqual(answer.headers.getSetCookie(), [])
    const text = await answer.clone().text()
    t.true(text.includes('<form method="post" class="login card">'))
    t.is(text.includes('Try again in 60 seconds'), answer.status === 429)
    t.is(answer.headers.get('retry-after'), answer.status === 429 ? '60' : null)
    told.push(await codeIn(answer))
  }
  const wrong = '401 authentication_failed'
  t.deepEqual(told, ['403 permission_denied', ...Array.from({ length: 10 }, () => wrong), '429 throttled'])
  t.is((await sendKey(runs, await keyOf(['read']))).status, 303, 'a right key is taken all the same')
})

test('a login or logout form from another site is refused', async (t) => {
  const { baseUrl, keyOf, port } = await runPages(t)
  const key = await keyOf()
  const elsewhere: readonly Record<string, string>[] = [
    {},
    { 'Sec-Fetch-Site': 'cross-site', Origin: baseUrl },
    { 'Sec-Fetch-Site': 'same-site', Origin: baseUrl },
    { 'Sec-Fetch-Site': 'none' },
    { Origin: 'null' },
    { Origin: 'https://evil.example' },
    { Origin: `http://localhost:${port}` },
  ]
  for (const path of ['/runs/', '/runs/log-out/'])
    for (const headers of elsewhere) {
      const answer = await sendKey(baseUrl + path, key, headers)
      t.deepEqual(answer.headers.getSetCookie(), [])
      t.is(await codeIn(answer), '403 permission_denied', `${path} ${JSON.stringify(headers)}`)
    }
  t.is((await sendKey(`${baseUrl}/runs/`, key, { Origin: baseUrl })).status, 303)
})

test('a body that is not a small form is refused', async (t) => {
  const { baseUrl } = await runPages(t)
  t.is(await codeIn(await sendKey(`${baseUrl}/runs/`, 'k'.repeat(5000))), '413 payload_too_large')
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' }
  t.is(await codeIn(await sendKey(`${baseUrl}/runs/`, 'k', headers)), '415 unsupported_media_type')
})

test('the API refuses the token of the cookie, and a page refuses a token of the API', async (t) => {
  const { baseUrl, keyOf, useCases } = await runPages(t)
  const apiKey = await keyOf()
  const cookie = await cookieOf(`${baseUrl}/runs/`, apiKey)
  const [name = '', token = ''] = cookie.split('=')
  const list = `${baseUrl}/v1/data-import/import-runs/`
  const ofCookie = await fetch(list, { headers: { Authorization: `Token ${token}` } })
  t.is(ofCookie.status, 401)
  t.like(await ofCookie.json(), { code: 'authentication_failed' })
  const ofApi = await right(useCases.obtainToken({ credentials: { apiKey }, address: 'here' }))
  t.is((await fetch(list, { headers: { Authorization: `Token ${ofApi.token}` } })).status, 200)
  t.regex(await statusesWith(`${baseUrl}/runs/`, `${name}=${ofApi.token}`), /^401 /)
  const claims = await right(useCases.authenticate(token, 'pages'))
  t.deepEqual(claims.scopes, ['read'])
})

test('logging out deletes the cookie and leads to the login', async (t) => {
  const { baseUrl } = await runPages(t)
  const answer = await sendKey(`${baseUrl}/runs/log-out/`, '')
  t.is(answer.status, 303)
  t.is(answer.headers.get('location'), '../../runs/')
  t.deepEqual(answer.headers.getSetCookie(), [
    '__Host-account-import=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict',
  ])
})

const expectedPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const isPage = (t: ExecutionContext, { headers }: Response, text: string): void => {
  t.is(headers.get('content-type'), 'text/html; charset=utf-8')
  t.is(headers.get('content-security-policy'), expectedPolicy)
  t.is(headers.get('cache-control'), 'no-store')
  t.is(headers.get('x-content-type-options'), 'nosniff')
  t.notRegex(text, /<[^>]*\s(?:style|on\w+)=|<style|<script>|"https?:|javascript:/)
}

test('every page has the strict policy and may not be cached, refusals are pages with their code, and 405 names the methods', async (t) => {
  const { baseUrl, keyOf, open } = await runPages(t)
  const cookie = await cookieOf(`${baseUrl}/runs/`, await keyOf())
  const run = `${baseUrl}/runs/${await open()}/`
  const wrong = `${run}?cursor=nonsense`
  for (const [address, sent, expected] of [
    [`${baseUrl}/runs/`, cookie, '200 undefined'],
    [run, cookie, '200 undefined'],
    [`${baseUrl}/runs/`, '', '401 not_authenticated'],
    [run, '', '401 not_authenticated'],
    [run, '__Host-account-import=nonsense', '401 authentication_failed'],
    [run, '__Host-account-import=', '401 authentication_failed'],
    [run, cookie.replace('__Host-', ''), '401 not_authenticated'],
    [`${baseUrl}/runs/nothing/`, cookie, '404 import_run_does_not_exist'],
    [`${baseUrl}/runs/%ff/`, cookie, '404 not_found'],
    [wrong, cookie, '400 request_failed_validation'],
    [`${baseUrl}/runs/a/b/c`, cookie, '404 not_found'],
  ] as const) {
    const answer = await fetch(address, { headers: { Cookie: sent } })
    isPage(t, answer, await answer.clone().text())
    t.is(await codeIn(answer), expected, address)
    const head = await fetch(address, { method: 'HEAD', headers: { Cookie: sent } })
    t.is(`${head.status} ${await head.text()}`, `${expected.slice(0, 3)} `)
  }
  for (const [path, method, allow] of [
    ['/runs/', 'PUT', 'GET, HEAD, POST'],
    ['/runs/x/', 'DELETE', 'GET, HEAD, POST'],
    ['/runs/log-out/', 'GET', 'POST'],
    ['/runs/a/b', 'POST', 'GET, HEAD'],
  ] as const) {
    const answer = await fetch(baseUrl + path, { method })
    t.is(answer.headers.get('allow'), allow)
    isPage(t, answer, await answer.clone().text())
    t.is(await codeIn(answer), '405 method_not_allowed')
  }
})

test('an address without a slash redirects to the one with it only', async (t) => {
  const { baseUrl } = await runPages(t, { basePath: '/imports' })
  const led = async (path: string) =>
    (await fetch(baseUrl + path, { redirect: 'manual' })).headers.get('location')
  t.is(await led('/imports/runs?cursor=a'), './runs/?cursor=a')
  t.is(await led('/imports/runs/abc'), './abc/')
  t.is(await led('/imports/runs/https:evil.example'), './https:evil.example/')
})

test('every link, style, script and error page exists below a base path', async (t) => {
  const { baseUrl, keyOf, open, stage } = await runPages(t, { basePath: '/imports' })
  const runs = `${baseUrl}/imports/runs/`
  const cookie = await cookieOf(runs, await keyOf())
  const id = await open()
  await stage(id, 'A-1', 1, refusing)
  const found = new Set<string>()
  for (const address of [runs, `${runs}${id}/`, `${runs}nothing/`]) {
    const text = await (await fetch(address, { headers: { Cookie: cookie } })).text()
    for (const [, to = ''] of text.matchAll(/(?:href|src|action)="(?!data:)([^"]+)"/g)) {
      const target = new URL(to, address)
      found.add(target.pathname)
      const answer = await fetch(target, { headers: { Cookie: cookie } })
      t.is(answer.status, target.pathname.endsWith('/log-out/') ? 405 : 200, `${address} ${to}`)
    }
  }
  for (const path of ['docs/site.css', 'docs/runs.js', 'runs/', 'docs/errors/not_a_list/', `runs/${id}/`])
    t.true(found.has(`/imports/${path}`), path)
  t.is((await sendKey(`${runs}${id}/?cursor=x`, await keyOf())).headers.get('location'), './?cursor=x')
})

test('runs of another organisation are as unknown ones, and each organisation has its own list', async (t) => {
  const { baseUrl, keyOf, open, useCases } = await runPages(t)
  await right(useCases.operator.createOrganisation({ code: 'OTHER' }))
  await right(useCases.operator.createSupplier({ code: 'THEIRS', organisation: 'OTHER' }))
  const [ours, theirs] = [await open(), await open({ label: 'Secret' }, 'OTHER', 'THEIRS')]
  const runs = `${baseUrl}/runs/`
  const cookie = await cookieOf(runs, await keyOf())
  const list = await pageAt(runs, cookie)
  t.true(list.includes(ours))
  t.false(list.includes(theirs) || list.includes('Secret') || list.includes('THEIRS'))
  const answers = await Promise.all(
    [`${runs}${theirs}/`, `${runs}nothing/`].map(async (address) => {
      const answer = await fetch(address, { headers: { Cookie: cookie } })
      return `${answer.status} ${await answer.text()}`
    }),
  )
  t.is(answers[0], answers[1])
  t.is(await statusesWith(`${runs}${theirs}/`, cookie), '404 import_run_does_not_exist')
})

test('a login ends with its token and with its key', async (t) => {
  const { baseUrl, keyOf, clock, useCases } = await runPages(t)
  const runs = `${baseUrl}/runs/`
  const key = await keyOf()
  const cookie = await cookieOf(runs, key)
  clock.pass(3601)
  t.is(await statusesWith(runs, cookie), '401 token_expired')
  const next = await cookieOf(runs, key)
  await pageAt(runs, next)
  const records = await right(useCases.operator.listApiKeys())
  await right(useCases.operator.revokeApiKey(records.find(({ id }) => key.includes(id))?.id ?? ''))
  clock.pass(31)
  t.is(await statusesWith(runs, next), '401 authentication_failed')
})

test('pages and logins count for the rate of their key', async (t) => {
  let used = 0
  const store = { use: async ({ amount }: Readonly<{ amount: number }>) => E.right((used += amount)) }
  const rate = new KeyRate(store, { requests: 3, seconds: 86_400 })
  const { baseUrl, keyOf } = await runPages(t, { limits: { rate } })
  const runs = `${baseUrl}/runs/`
  const key = await keyOf()
  const cookie = await cookieOf(runs, key)
  await pageAt(runs, cookie)
  await pageAt(runs, cookie)
  t.is(await statusesWith(runs, cookie), '429 throttled')
  t.is(await codeIn(await sendKey(runs, key)), '429 throttled')
})

const hostile = `<img src=x onerror=alert(1)>"'&\u202E<script>`
const shownHostile = '&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;\u202E&lt;script&gt;'

test('labels, file names, numbers and paths are shown unchanged, and never become markup', async (t) => {
  const { baseUrl, keyOf, open, stage } = await runPages(t)
  const runs = `${baseUrl}/runs/`
  const cookie = await cookieOf(runs, await keyOf())
  const source = { name: hostile, sha256: 'ab'.repeat(32) }
  const [labelled, named] = [await open({ label: hostile }), await open({ source })]
  await stage(labelled, '<b>A"1', 1, { [`<i>x"`]: 1, ...refusing })
  for (const address of [runs, `${runs}${labelled}/`, `${runs}${named}/`]) {
    const text = await pageAt(address, cookie)
    t.true(text.includes(shownHostile), address)
    t.notRegex(text, /<img|<i>|<b>|<script>/)
  }
  const text = await pageAt(`${runs}${labelled}/`, cookie)
  t.true(text.includes('&lt;b&gt;A&quot;1'))
})

test('a run shows counts, codes and failures page by page, without values and paths of accounts', async (t) => {
  const { baseUrl, keyOf, open, stage, useCases, clock } = await runPages(t)
  const runs = `${baseUrl}/runs/`
  const cookie = await cookieOf(runs, await keyOf())
  const id = await open({ label: 'Rehearsal' })
  for (let line = 1; line <= 51; line += 1)
    await stage(id, `A-${line}`, line, { customers: [{ landline: 'a-value' }] })
  for (let line = 52; line <= 54; line += 1) await stage(id, `A-${line}`, line)
  const first = await pageAt(`${runs}${id}/`, cookie)
  t.true(first.includes('running</span> 3 staged, 0 created, 51 refused'))
  t.true(first.includes('<main data-live>'))
  t.regex(first, /<noscript><meta http-equiv="refresh" content="15" \/><\/noscript>/)
  t.regex(first, /docs\/errors\/invalid_phone_number\/"><code>invalid_phone_number<\/code><\/a>/)
  t.true(first.includes('customers[].landline') && !first.includes('customers.0.landline'))
  t.false(first.includes('a-value'))
  const numbersIn = (text: string) => [...text.matchAll(/<bdi>(A-\d+)<\/bdi>/g)].map(([, number]) => number)
  t.deepEqual(numbersIn(first).length, 50)
  const [, next = ''] = /href="(\?cursor=[^"]+)">Next page/.exec(first) ?? []
  const second = await pageAt(`${runs}${id}/${next}`, cookie)
  t.deepEqual(numbersIn(second), ['A-51'])
  t.true(second.includes('<a href="./">First page</a>') && !second.includes('Next page'))
  clock.pass(601)
  t.true((await pageAt(`${runs}${id}/`, cookie)).includes('The next one continues it'))
  await right(useCases.finishImportRun({ organisation: 'ACME', id }))
  const finished = await pageAt(`${runs}${id}/`, cookie)
  t.false(finished.includes('data-live') || finished.includes('http-equiv="refresh"'))
})

test('the list of runs has pages, and may be limited to one supplier', async (t) => {
  const { baseUrl, keyOf, open, clock, useCases } = await runPages(t)
  const runs = `${baseUrl}/runs/`
  const cookie = await cookieOf(runs, await keyOf())
  await right(useCases.operator.createSupplier({ code: 'PONIENTE', organisation: 'ACME' }))
  const other = await open({ label: 'Other' }, 'ACME', 'PONIENTE')
  for (let number = 1; number <= 50; number += 1) {
    clock.pass(1)
    await open({ label: `Run ${number}.` })
  }
  const first = await pageAt(runs, cookie)
  t.true(first.includes('Run 50.') && !first.includes('Other'))
  t.true(first.includes('Runs shown: 50, running: 50'))
  const [, next = ''] = /href="(\?cursor=[^"]+)">Earlier runs/.exec(first) ?? []
  const second = await pageAt(runs + next, cookie)
  t.true(second.includes(other) && !second.includes('Earlier runs'))
  t.true(first.includes('<main data-live>') && !second.includes('<main data-live>'))
  const ofOne = await pageAt(`${runs}?import_supplier=PONIENTE`, cookie)
  t.true(ofOne.includes(other) && !ofOne.includes('Run 50.'))
})

test('an unavailable store and an unexpected error are pages too', async (t) => {
  const away = E.left(portFailure('unavailable', 'importRuns', 'page', new Error('away')))
  const { baseUrl, logged } = await serve(
    t,
    {
      importRunsPage: async () => away,
      importRun: () => {
        throw new Error('a fault')
      },
    },
    { runPages: true },
  )
  const cookie = '__Host-account-import=good'
  t.is(await statusesWith(`${baseUrl}/runs/`, cookie), '503 service_unavailable')
  t.is(await statusesWith(`${baseUrl}/runs/abc/`, cookie), '500 error')
  t.like(logged.at(-1), { route: '/runs/{import_run}/', status: 500, failure: { kind: 'unexpected' } })
  const login = await sendKey(`${baseUrl}/runs/`, 'key')
  t.is(await codeIn(login), '500 error')
})

test('a run shows that its failures were removed, and a code without a page is not a link', async (t) => {
  const at = instantOf(0)
  const run = {
    id: 'r1',
    organisation: 'ACME',
    importSupplier: 'LEVANTE',
    label: undefined,
    source: undefined,
    startedBy: 'key k1',
    startedAt: at,
    latestRequestAt: at,
    latestProgressAt: at,
    finishedAt: at,
    undone: undefined,
    totals: { created: 0, refused: 1234 },
    failuresRemovedAt: instantOf(86_400_000),
    state: 'finished' as const,
    seconds: 0,
  }
  const errors = [{ step: 'process' as const, code: 'of_a_market', field: '', count: 1234 }]
  const counts = { staged: 0, created: 0, failed: { stage: 0, process: 1234 }, errors }
  const { baseUrl } = await serve(
    t,
    {
      importRun: async () => E.right({ run, counts }),
      importRunFailures: async () => E.right({ items: [], next: undefined }),
    },
    { runPages: true },
  )
  const text = await pageAt(`${baseUrl}/runs/r1/`, '__Host-account-import=good')
  t.true(
    text.includes(
      'removed <time datetime="1970-01-02T00:00:00Z" title="1970-01-02 00:00:00 UTC">1970-01-02 00:00:00 UTC</time>',
    ),
  )
  t.true(text.includes('<code>of_a_market</code>') && !text.includes('errors/of_a_market'))
  t.true(text.includes('1,234'))
})
