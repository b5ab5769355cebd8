import test, { type ExecutionContext } from 'ava'
import type { AppContext } from '@account-import/adapter-http-koa/pages'
import type { PlatformVisitor } from '@account-import/console'
import { portFailure, scopes } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { someUseCases } from '../http/support/some-use-cases.js'
import { organisation, right } from '../use-cases/support/service.js'
import { codeIn, cookieOf, sendForm, serveConsole, servedConsole } from './support/served-console.js'

const statusWith = async (address: string, cookie: string): Promise<string> =>
  codeIn(await fetch(address, { headers: { Cookie: cookie }, redirect: 'manual' }))

const sendKey = (home: string, apiKey: string, headers: Readonly<Record<string, string>> = {}) =>
  sendForm(`${home}log-in/`, { api_key: apiKey }, headers)

test('a right key gets a cookie that scripts and other sites cannot read, for 12 hours, and leads to the requested page', async (t) => {
  const { home, keyOf, logged } = await servedConsole(t)
  const answer = await sendForm(`${home}log-in/`, {
    api_key: ` ${await keyOf()}\n`,
    to: 'runs/?state=finished',
  })
  t.is(`${answer.status} ${answer.headers.get('location')}`, '303 ../runs/?state=finished')
  const [cookie = '', ...others] = answer.headers.getSetCookie()
  t.regex(cookie, /^__Host-account-import=[^;]+; Path=\/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict$/)
  t.deepEqual(others, [])
  t.is(await statusWith(`${home}runs/`, cookie.replace(/;.*/, '')), '200 undefined')
  t.like(logged.at(-1), { route: '/console/runs/', status: 200, organisation: 'ACME' })
  t.false(JSON.stringify(logged).includes(cookie.slice(24, 60)))
})

test('a login leads to no address outside of the console', async (t) => {
  const { home, keyOf } = await servedConsole(t, { basePath: '/imports' })
  const key = await keyOf()
  const led = async (to: string) =>
    (await sendForm(`${home}log-in/`, { api_key: key, to })).headers.get('location')
  for (const to of [
    'https://evil.example/',
    '//evil.example',
    '/docs/',
    '../docs/',
    'javascript:alert(1)',
    'a:b',
  ])
    t.is(await led(to), '../', to)
  t.is(await led('runs/a%2Fb/?code=x&cursor=y'), '../runs/a%2Fb/?code=x&cursor=y')
})

test('a wrong key and too many attempts get the form again and no cookie, and a right key is accepted nevertheless', async (t) => {
  const { home, keyOf } = await servedConsole(t)
  const told: string[] = []
  for (const key of ['', 'wrong', ...Array.from({ length: 9 }, (_, index) => `wrong-${index}`)]) {
    const answer = await sendKey(home, key)
    t.deepEqual(answer.headers.getSetCookie(), [])
    const text = await answer.clone().text()
    t.true(text.includes('class="login card"'))
    t.is(text.includes('Try again in 60 seconds'), answer.status === 429)
    told.push(await codeIn(answer))
  }
  const wrong = '401 authentication_failed'
  t.deepEqual(told, [...Array.from({ length: 10 }, () => wrong), '429 throttled'])
  t.is((await sendKey(home, await keyOf(['read']))).status, 303)
})

test('a request of another site that would change something is refused', async (t) => {
  const { baseUrl, home, keyOf, port } = await servedConsole(t)
  const key = await keyOf()
  const Cookie = await cookieOf(home, key)
  const elsewhere: readonly Record<string, string>[] = [
    { 'Sec-Fetch-Site': '' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: baseUrl },
    { 'Sec-Fetch-Site': 'same-site', Origin: baseUrl },
    { 'Sec-Fetch-Site': 'none' },
    { 'Sec-Fetch-Site': '', Origin: 'null' },
    { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' },
    { 'Sec-Fetch-Site': '', Origin: `http://localhost:${port}` },
  ]
  for (const headers of elsewhere) {
    for (const path of ['log-in/', 'log-out/', 'runs/x/undo/']) {
      const answer = await sendForm(home + path, { api_key: key }, { Cookie, ...headers })
      t.deepEqual(answer.headers.getSetCookie(), [])
      t.is(await codeIn(answer), '403 permission_denied', `${path} ${JSON.stringify(headers)}`)
    }
    const api = `${home}api/v1/data-import/import-runs/`
    const opened = await sendForm(api, {}, { Cookie, ...headers })
    t.is(opened.status, 403)
  }
  t.is((await sendKey(home, key, { 'Sec-Fetch-Site': '', Origin: baseUrl })).status, 303)
})

test('a body that is not a small form is refused', async (t) => {
  const { home } = await servedConsole(t)
  t.is(await codeIn(await sendKey(home, 'k'.repeat(5000))), '413 payload_too_large')
  const answer = await sendKey(home, 'k', { 'Content-Type': 'application/json' })
  t.is(await codeIn(answer), '415 unsupported_media_type')
})

test('logging out ends the session at the server, so that a copy of the cookie opens nothing, and is an audit event', async (t) => {
  const { home, keyOf, useCases } = await servedConsole(t)
  const cookie = await cookieOf(home, await keyOf())
  t.is(await statusWith(home, cookie), '200 undefined')
  const answer = await sendForm(`${home}log-out/`, {}, { Cookie: cookie })
  t.is(`${answer.status} ${answer.headers.get('location')}`, '303 ../')
  t.deepEqual(answer.headers.getSetCookie(), [
    '__Host-account-import=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict',
  ])
  t.is(await statusWith(home, cookie), '401 authentication_failed')
  t.is((await fetch(`${home}api/v1/data-import/access/`, { headers: { Cookie: cookie } })).status, 401)
  const events: string[] = []
  for await (const page of await right(useCases.audit.list({ organisation })))
    events.push(...(await right(page)).map(({ entry }) => entry.what))
  t.deepEqual(events.slice(-3), ['logged_in', 'new_address', 'logged_out'])
})

test('a session ends after 12 hours and with its key, and the other sessions of the key go on', async (t) => {
  const { home, keyOf, clock, useCases } = await servedConsole(t)
  const key = await keyOf()
  const cookie = await cookieOf(home, key)
  clock.pass(43_199)
  t.is(await statusWith(home, cookie), '200 undefined')
  clock.pass(2)
  t.is(await statusWith(home, cookie), '401 token_expired')
  const [one, other] = [await cookieOf(home, key), await cookieOf(home, key)]
  await sendForm(`${home}log-out/`, {}, { Cookie: one })
  t.is(await statusWith(home, other), '200 undefined')
  const records = await right(useCases.operator.listApiKeys())
  await right(useCases.operator.revokeApiKey(records.find(({ id }) => key.includes(id))?.id ?? ''))
  clock.pass(31)
  t.is(await statusWith(home, other), '401 authentication_failed')
})

test('the API refuses the token of the cookie as a token, and the console refuses a token of the API', async (t) => {
  const { baseUrl, home, keyOf, useCases } = await servedConsole(t)
  const apiKey = await keyOf()
  const [name = '', token = ''] = (await cookieOf(home, apiKey)).split('=')
  const list = `${baseUrl}/v1/data-import/import-runs/`
  t.is((await fetch(list, { headers: { Authorization: `Token ${token}` } })).status, 401)
  t.is((await fetch(list, { headers: { Cookie: `${name}=${token}` } })).status, 401)
  const ofApi = await right(useCases.obtainToken({ credentials: { apiKey }, address: 'here' }))
  t.is((await fetch(list, { headers: { Authorization: `Token ${ofApi.token}` } })).status, 200)
  t.regex(await statusWith(home, `${name}=${ofApi.token}`), /^401 /)
})

test('scripts of a page use the API in the name of the visitor, with the scopes of the key', async (t) => {
  const { home, keyOf, logged, useCases } = await servedConsole(t)
  const api = `${home}api/v1/data-import/`
  const open = async (cookie: string) =>
    fetch(`${api}import-runs/`, {
      method: 'POST',
      headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' },
      body: JSON.stringify({ import_supplier: 'LEVANTE' }),
    })
  const reader = await cookieOf(home, await keyOf(['read']))
  t.is((await open(reader)).status, 403)
  t.is((await open('')).status, 401)
  const list = await fetch(`${api}import-runs/?limit=1`, { headers: { Cookie: reader } })
  t.is(list.status, 200)
  const key = await keyOf(['stage'])
  t.is((await open(await cookieOf(home, key))).status, 201)
  t.like(logged.at(-1), { route: '/v1/data-import/import-runs/', status: 201, organisation: 'ACME' })
  const [run] = (await right(useCases.importRunsPage({ organisation, after: undefined, limit: 1 }))).items
  t.true(key.includes(run?.startedBy.replace('key ', '') ?? '-'))
})

const linksOf = (page: string): readonly string[] =>
  [...page.matchAll(/<li>\s*<a href="([^"]*)"/g)].map(([, to = '']) => to)

test('scopes decide which pages a visitor has, and which links', async (t) => {
  const { home, keyOf, open } = await servedConsole(t)
  const id = await open()
  const pages = ['', 'runs/', `runs/${id}/`, 'accounts/', 'check/', 'proof/', `runs/${id}/undo/`]
  const allowed = async (...given: Parameters<typeof keyOf>) => {
    const cookie = await cookieOf(home, await keyOf(...given))
    const codes = await Promise.all(pages.map((path) => statusWith(home + path, cookie)))
    return pages.filter((_, index) => codes[index] === '200 undefined')
  }
  t.deepEqual(await allowed(scopes), pages)
  t.deepEqual(
    await allowed(['read']),
    pages.filter((path) => path !== 'check/' && !path.endsWith('undo/')),
  )
  t.deepEqual(await allowed(['validate']), ['check/'])
  t.deepEqual(await allowed(['undo']), [])
  const cookie = await cookieOf(home, await keyOf(['validate']))
  const page = await (await fetch(`${home}check/`, { headers: { Cookie: cookie } })).text()
  t.deepEqual(linksOf(page), ['../../console/check/', '../../docs/'])
  t.is(await statusWith(home, cookie), '403 permission_denied')
})

test('the platform maps its own session to a visitor, and then there is no login', async (t) => {
  const { home, useCases } = await servedConsole(t, {
    access: (ctx) => {
      const who = ctx.get('X-Platform-User')
      return who === '' ? undefined : { organisation, scopes: ['read', 'stage'], who }
    },
  })
  const nobody = await fetch(`${home}runs/`)
  t.is(nobody.status, 401)
  t.false((await nobody.text()).includes('<form'))
  t.is((await sendKey(home, 'key')).status, 401)
  const headers = { 'X-Platform-User': 'ana@platform' }
  const page = await (await fetch(`${home}runs/`, { headers })).text()
  t.true(page.includes('<bdi>ana@platform</bdi>') && !page.includes('Log out'))
  t.is((await fetch(`${home}check/`, { headers })).status, 403)
  const opened = await fetch(`${home}api/v1/data-import/import-runs/`, {
    method: 'POST',
    headers: { ...headers, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' },
    body: JSON.stringify({ import_supplier: 'LEVANTE' }),
  })
  t.is(opened.status, 201)
  const [run] = (await right(useCases.importRunsPage({ organisation, after: undefined, limit: 1 }))).items
  t.is(run?.startedBy, 'ana@platform')
})

test('any other result of the platform than a visitor is nobody, on pages and for their requests to the API', async (t) => {
  const visitor = { organisation, scopes: ['read'], who: 'ana@platform' }
  const nobodies: Readonly<Record<string, unknown>> = {
    false: false,
    null: null,
    undefined,
    'an empty text': '',
    zero: 0,
    true: true,
    'a name': 'ana',
    'an empty object': {},
    'a list': [visitor],
    'no organisation': { ...visitor, organisation: undefined },
    'an empty organisation': { ...visitor, organisation: '' },
    'an organisation in a list': { ...visitor, organisation: [organisation] },
    'a long organisation': { ...visitor, organisation: 'A'.repeat(33) },
    'no scopes': { ...visitor, scopes: undefined },
    'scopes as one text': { ...visitor, scopes: 'read' },
    'an unknown scope': { ...visitor, scopes: ['read', 'undo-nothing'] },
    'no name': { ...visitor, who: undefined },
    'an empty name': { ...visitor, who: '' },
    'a name with a control character': { ...visitor, who: 'ana\n' },
    'a long name': { ...visitor, who: 'a'.repeat(201) },
    'a good visitor': { ...visitor, who: 'a'.repeat(200) },
  }
  const access = (ctx: AppContext) => Reflect.get(nobodies, ctx.get('X-Platform-User')) as PlatformVisitor
  const { home } = await servedConsole(t, { access })
  const answers: Record<string, string> = {}
  for (const name of Object.keys(nobodies)) {
    const headers = { 'X-Platform-User': name }
    const paths = ['', 'api/v1/data-import/access/']
    const statuses = await Promise.all(
      paths.map(async (path) => (await fetch(home + path, { headers })).status),
    )
    answers[name] = statuses.join(' ')
  }
  const expected = Object.keys(nobodies).map((name) => [
    name,
    name === 'a good visitor' ? '200 200' : '401 401',
  ])
  t.deepEqual(answers, Object.fromEntries(expected))
})

test('a second login ends the session of the cookie that it replaces, and a refused one does not', async (t) => {
  const { home, keyOf } = await servedConsole(t)
  const [key, other] = [await keyOf(), await keyOf()]
  const [first, elsewhere] = [await cookieOf(home, key), await cookieOf(home, key)]
  t.is((await sendKey(home, 'wrong', { Cookie: first })).status, 401)
  t.is(await statusWith(home, first), '200 undefined')
  const [second = ''] = (await sendKey(home, other, { Cookie: first })).headers.getSetCookie()
  t.is(await statusWith(home, second.replace(/;.*/, '')), '200 undefined')
  t.is(await statusWith(home, first), '401 authentication_failed')
  t.is(await statusWith(home, elsewhere), '200 undefined')
})

test('pages and logins count for the rate of their key, and a visitor can always leave', async (t) => {
  const { home, keyOf } = await servedConsole(t, { limits: { rate: { requests: 3, seconds: 86_400 } } })
  const key = await keyOf()
  const cookie = await cookieOf(home, key)
  t.is(await statusWith(home, cookie), '200 undefined')
  t.is(await statusWith(home, cookie), '200 undefined')
  t.is(await statusWith(home, cookie), '429 throttled')
  t.is(await codeIn(await sendKey(home, key)), '429 throttled')
  t.is((await sendForm(`${home}log-out/`, {}, { Cookie: cookie })).status, 303)
  t.is(await statusWith(home, cookie), '401 authentication_failed')
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
  const { home, keyOf, open } = await servedConsole(t)
  const cookie = await cookieOf(home, await keyOf(scopes))
  const run = `runs/${await open()}/`
  for (const [path, sent, expected] of [
    ['', cookie, '200 undefined'],
    ['runs/', cookie, '200 undefined'],
    [run, cookie, '200 undefined'],
    [`${run}accounts/`, cookie, '200 undefined'],
    [`${run}undo/`, cookie, '200 undefined'],
    ['accounts/', cookie, '200 undefined'],
    ['', '', '401 not_authenticated'],
    [run, '__Host-account-import=nonsense', '401 authentication_failed'],
    [run, cookie.replace('__Host-', ''), '401 not_authenticated'],
    ['runs/nothing/', cookie, '404 import_run_does_not_exist'],
    ['runs/nothing/undo/', cookie, '404 import_run_does_not_exist'],
    ['runs/%ff/', cookie, '404 not_found'],
    ['nothing/', cookie, '404 not_found'],
    [`${run}?cursor=nonsense`, cookie, '400 request_failed_validation'],
    ['runs/?state=nonsense', cookie, '400 request_failed_validation'],
    ['runs/?days=2', cookie, '400 request_failed_validation'],
    ['runs/?supplier=%0a', cookie, '200 undefined'],
    ['accounts/account/?supplier=LEVANTE', cookie, '400 request_failed_validation'],
    ['accounts/account/?supplier=LEVANTE&number=none', cookie, '404 import_process_does_not_exist'],
  ] as const) {
    const answer = await fetch(home + path, { headers: { Cookie: sent } })
    isPage(t, answer, await answer.clone().text())
    t.is(await codeIn(answer), expected, path)
    const head = await fetch(home + path, { method: 'HEAD', headers: { Cookie: sent } })
    t.is(`${head.status} ${await head.text()}`, `${expected.slice(0, 3)} `)
  }
  for (const [path, method, allow] of [
    ['runs/', 'PUT', 'GET, HEAD'],
    [`${run}undo/`, 'DELETE', 'GET, HEAD, POST'],
  ] as const) {
    const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }
    const answer = await fetch(home + path, { method, headers })
    t.is(answer.headers.get('allow'), allow)
    t.is(await codeIn(answer), '405 method_not_allowed')
  }
})

test('an address without a slash redirects to the one with it only, and an asset is asked for again by its tag', async (t) => {
  const { home, keyOf } = await servedConsole(t, { basePath: '/imports' })
  const Cookie = await cookieOf(home, await keyOf())
  const led = async (path: string) =>
    (await fetch(home + path, { redirect: 'manual', headers: { Cookie } })).headers.get('location')
  t.is((await fetch(home.slice(0, -1), { redirect: 'manual' })).headers.get('location'), './console/')
  t.is(await led('runs?cursor=a'), './runs/?cursor=a')
  t.is(await led('runs/abc'), './abc/')
  t.is(await led('runs/https:evil.example'), './https:evil.example/')
  const styles = await fetch(`${home}assets/console.css`)
  t.is(`${styles.status} ${styles.headers.get('content-type')}`, '200 text/css; charset=utf-8')
  // Without it, fetch itself asks for no cached answer.
  const again = { 'If-None-Match': styles.headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' }
  t.is((await fetch(`${home}assets/console.css`, { headers: again })).status, 304)
  for (const name of ['none.js', '..%2fpackage.json', 'CONSOLE.css'])
    t.is((await fetch(`${home}assets/${name}`)).status, 404, name)
})

test('an unavailable store and an unexpected error are pages, or parts of pages, and are logged', async (t) => {
  const away = E.left(portFailure('unavailable', 'importRuns', 'page', new Error('away')))
  const { home, logged } = await serveConsole(
    t,
    someUseCases({
      usableNames: async () => E.right({ importSuppliers: [], operationsTeams: [] }),
      importRunsPage: async () => away,
      findImportRun: () => {
        throw new Error('a fault')
      },
    }),
  )
  const cookie = '__Host-account-import=good'
  t.is(await statusWith(`${home}runs/`, cookie), '200 service_unavailable')
  t.like(logged.at(-1), { route: '/console/runs/', failure: { kind: 'unavailable', port: 'importRuns' } })
  t.is(await statusWith(`${home}runs/abc/`, cookie), '500 error')
  t.like(logged.at(-1), { route: '/console/runs/{}/', status: 500, failure: { kind: 'unexpected' } })
  t.is(await codeIn(await sendKey(home, 'key')), '500 error')
})
