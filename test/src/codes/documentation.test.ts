import { createHash } from 'node:crypto'
import { createClient, type JsonObject } from '@account-import/client'
import { catalogue } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import test, { type ExecutionContext } from 'ava'
import { failureIn, issuing } from '../http/support/for-clients.js'
import { rawExchange, statusesIn } from '../http/support/raw-exchange.js'
import { problemIn, serve } from '../http/support/serve.js'
import { listen } from '../support/http-server.js'
import { published } from '../support/published.js'

const codes = [...published.keys()]
const within = async (t: ExecutionContext): Promise<string> => (await serve(t, {})).baseUrl

const linksIn = (html: string): readonly string[] =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)

test('the index links every code once', async (t) => {
  const base = await within(t)
  const links = linksIn(await (await fetch(`${base}/docs/errors/`)).text())
  t.deepEqual(links.filter((href) => href !== '../').sort(), codes.map((code) => `./${code}/`).sort())
})

test('a page loads nothing, runs nothing, asks its own search alone, and its policy allows its own style alone', async (t) => {
  const base = await within(t)
  for (const path of ['docs/', 'docs/errors/', 'docs/errors/gap_in_agreement_dates/']) {
    const answer = await fetch(`${base}/${path}`)
    t.is(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    const page = await answer.text()
    t.notRegex(page, /<script|<img|<link|<iframe|javascript:|\sstyle=|\son\w+=/i)
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? []
    t.true(style.length > 100)
    const hash = createHash('sha256').update(style).digest('base64')
    const policy = answer.headers.get('content-security-policy') ?? ''
    t.true(policy.includes(`style-src 'sha256-${hash}'`))
    t.deepEqual(
      page.match(/<form[^>]*action="[^"]*"/g)?.map((form) => form.replace(/(?:\.\.?\/)+/, '')),
      ['<form class="search" role="search" action="search/"'],
    )
    t.regex(policy, /default-src 'none'.*base-uri 'none'.*form-action 'self'.*frame-ancestors 'none'/)
    t.is(answer.headers.get('x-content-type-options'), 'nosniff')
  }
})

test('a page says all that the catalogue knows of its code', async (t) => {
  const base = await within(t)
  const page = await (await fetch(`${base}/docs/errors/gap_in_agreement_dates/`)).text()
  for (const part of [
    catalogue.gap_in_agreement_dates.detail,
    'Fix the data',
    'any success as a warning; 400 when it is raised to error',
    'account-import supplier configure SUPPLIER --severity gap_in_agreement_dates=error|warn|off',
    'supply_addresses.N.supply_points.N.agreements.N.effective_from',
    '&quot;effective_to&quot;: &quot;2024-12-31&quot;',
    '<a href="../agreement_dates_overlap/">',
  ])
    t.true(page.includes(part), part)
})

test('an unknown code, or one that objects have by nature, is not found like any other address', async (t) => {
  const base = await within(t)
  for (const name of ['nothing', 'REQUIRED', 'constructor', '__proto__', 'required%00', 'required/more'])
    t.is(await problemIn(t, await fetch(`${base}/docs/errors/${name}/`)), '404 not_found')
})

test('documents are for GET and HEAD', async (t) => {
  const base = await within(t)
  for (const path of ['docs', 'docs/errors', 'docs/errors/required', 'openapi.json']) {
    const answer = await fetch(`${base}/${path}`, { method: 'POST', body: '{}' })
    t.is(answer.headers.get('allow'), 'GET, HEAD')
    t.is(await problemIn(t, answer), '405 method_not_allowed')
    const [head, got] = [await fetch(`${base}/${path}`, { method: 'HEAD' }), await fetch(`${base}/${path}`)]
    t.is(head.status, 200)
    t.is(await head.text(), '')
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control'])
      t.is(head.headers.get(name), got.headers.get(name), name)
  }
})

test('a document may be kept, and is sent again only when it has changed', async (t) => {
  const { baseUrl, port } = await serve(t, {})
  for (const path of ['/docs/errors/required/', '/openapi.json']) {
    const first = await fetch(baseUrl + path)
    t.is(first.headers.get('cache-control'), 'public, max-age=3600')
    const etag = first.headers.get('etag') ?? ''
    const ask = (known: string): Promise<string> =>
      // Not by fetch: it tells caches on the way not to answer as soon as a request has a condition.
      rawExchange(port, [
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIf-None-Match: ${known}\r\n\r\n`,
      ])
    const [unchanged, changed] = [await ask(etag), await ask('"other"')]
    t.deepEqual(statusesIn(unchanged), [304])
    t.true(unchanged.includes(`ETag: ${etag}`))
    t.true(unchanged.endsWith('\r\n\r\n'))
    t.deepEqual(statusesIn(changed), [200])
  }
})

test('a refusal has its code, and the address of the page that explains it', async (t) => {
  const refusing = { ...issuing([]), stageAccount: () => TE.left({ _tag: 'AccountMarkedToSkip' as const }) }
  const { baseUrl } = await serve(t, refusing, { basePath: '/imports' })
  const client = createClient({ baseUrl: `${baseUrl}/imports/`, apiKey: 'k' })
  const { code, docsUrl } = failureIn(t, await client.stageAccount({} as JsonObject))
  t.is(code, 'account_marked_to_skip')
  t.is(docsUrl, `${baseUrl}/imports/docs/errors/account_marked_to_skip/`)
  t.regex(await (await fetch(docsUrl ?? '')).text(), /The operator marked this account/)
})

test('a refused key has the code that it has elsewhere', async (t) => {
  const { baseUrl } = await serve(t, { obtainToken: () => TE.left({ _tag: 'AuthenticationFailed' }) })
  const { code, docsUrl } = failureIn(
    t,
    await createClient({ baseUrl, apiKey: 'k' }).stageAccount({} as JsonObject),
  )
  t.is(code, 'authentication_failed')
  t.is(docsUrl, `${baseUrl}/docs/errors/authentication_failed/`)
})

test('a code of a newer service is said to be unknown, and stays in the problem', async (t) => {
  const port = await listen(t, (_, response) => {
    response.writeHead(400, { 'Content-Type': 'application/json' })
    response.end('{"detail":"New.","code":"of_tomorrow","errors":[]}')
  })
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k' })
  const failure = failureIn(t, await client.stageAccount({} as JsonObject))
  t.is(failure.code, 'unknown_code')
  t.is(failure.problem.code, 'of_tomorrow')
  t.is(failure.docsUrl, undefined)
})

test('what the client itself finds has no page', async (t) => {
  const { baseUrl } = await serve(t, issuing([]))
  const failure = failureIn(t, await createClient({ baseUrl, apiKey: 'k' }).transferStatus('S', '..'))
  t.is(failure.code, 'address_not_possible')
  t.is(failure.docsUrl, undefined)
})
