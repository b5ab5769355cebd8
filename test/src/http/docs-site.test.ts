import { createHash } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { createApp } from '@account-import/adapter-http-koa'
import { listen } from '@account-import/adapter-http-koa/testing'
import { bundledMarkets, defaultServiceSettings } from '@account-import/core'
import { published } from '../support/published.js'
import { filesBelow } from '../support/repository.js'
import { rawExchange } from './support/raw-exchange.js'
import { problemIn, serve, validatePath } from './support/serve.js'
import { portugal } from '../support/portugal.js'
import { organisation, right, service } from '../use-cases/support/service.js'
import { accountWith } from '../validation/support.js'

const basePath = '/imports'

type Page = Readonly<{ address: string; status: number; type: string; policy: string; text: string }>

const pageAt = async (address: string): Promise<Page> => {
  const answer = await fetch(address)
  const { status, headers } = answer
  const of = (name: string): string => headers.get(name) ?? ''
  return {
    address,
    status,
    type: of('content-type'),
    policy: of('content-security-policy'),
    text: await answer.text(),
  }
}

const targetsIn = ({ address, text }: Page): readonly URL[] =>
  [...text.matchAll(/(?:href|src)="(?!data:,")([^"]*)"/g)].map(
    ([, href = '']) => new URL(href.replaceAll('&amp;', '&'), address),
  )

/** Every page and file that is reached from the first page of the documentation. */
const crawled = async (start: string): Promise<ReadonlyMap<string, Page>> => {
  const known = new Map<string, Page>()
  const waiting = [start]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (known.has(next)) continue
    const page = await pageAt(next)
    known.set(next, page)
    if (!page.type.startsWith('text/html')) continue
    for (const { origin, pathname } of targetsIn(page))
      if (next.startsWith(origin)) waiting.push(origin + pathname)
  }
  return known
}

const anchorsIn = ({ text }: Page): ReadonlySet<string> =>
  new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id))

const headingsIn = ({ text }: Page): readonly number[] =>
  [...text.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level))

const isInOrder = (levels: readonly number[]): boolean =>
  levels[0] === 1 &&
  levels.filter((level) => level === 1).length === 1 &&
  levels.every((level, index) => index === 0 || level <= (levels[index - 1] ?? 0) + 1)

test('every link of every page leads to a page and an anchor that are there, below a base path too', async (t) => {
  const { baseUrl } = await serve(t, {}, { basePath })
  const pages = await crawled(`${baseUrl}${basePath}/docs/`)
  const broken: string[] = []
  for (const page of pages.values()) {
    if (page.status !== 200) broken.push(`${page.status} ${page.address}`)
    if (!page.type.startsWith('text/html')) continue
    for (const { origin, pathname, hash } of targetsIn(page)) {
      const target = pages.get(origin + pathname)
      if (hash !== '' && target !== undefined && !anchorsIn(target).has(decodeURIComponent(hash.slice(1))))
        broken.push(`${page.address} -> ${pathname}${hash}`)
      if (target === undefined && origin === baseUrl) broken.push(`${page.address} -> ${pathname}`)
      if (origin !== baseUrl && !/^https?:/.test(origin)) broken.push(`${page.address} -> ${origin}`)
    }
  }
  t.deepEqual(broken, [])
  const found = [...pages.keys()].map((address) => address.slice(baseUrl.length + basePath.length))
  for (const code of published.keys()) t.true(found.includes(`/docs/errors/${code}/`), code)
  const sources = ['tutorials', 'how-to', 'reference'].flatMap((kind) => filesBelow(`docs/${kind}`))
  const otherwise = /reference\/(?:README|endpoints|errors)\.md$/
  for (const path of sources.filter((each) => each.endsWith('.md') && !otherwise.test(each)))
    t.true(found.includes(`/${path.replace(/\.md$/, '/')}`), path)
  const { paths } = (await (await fetch(`${baseUrl}${basePath}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  for (const { operationId } of Object.values(paths).flatMap((methods) => Object.values(methods)))
    t.true(found.includes(`/docs/endpoints/${operationId}/`), operationId)
})

test('every page has a strict policy, a language, landmarks, and headings in order', async (t) => {
  const { baseUrl } = await serve(t, {})
  for (const page of (await crawled(`${baseUrl}/docs/`)).values()) {
    if (!page.type.startsWith('text/html')) continue
    const { address, policy, text } = page
    t.regex(
      policy,
      /^default-src 'none'; .*base-uri 'none'; form-action '(?:self|none)'; frame-ancestors 'none'$/,
      address,
    )
    t.false(policy.includes('unsafe'), address)
    t.regex(text, /<html lang="en">/, address)
    t.deepEqual(
      ['<main>', '<nav ', '<footer>'].filter((part) => text.split(part).length !== 2),
      [],
      address,
    )
    t.true(isInOrder(headingsIn(page)), `${address}: ${headingsIn(page).join()}`)
    const ids = [...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    t.is(new Set(ids).size, ids.length, address)
    t.notRegex(text, /<[^>]*\s(?:style|on\w+)=|"javascript:|"docs:|&lt;!--/, address)
  }
})

test('pages without a slash at the end have links that work as well', async (t) => {
  const { baseUrl } = await serve(t, {}, { basePath })
  for (const path of ['endpoints/stageAccount', 'how-to/operate', 'search?q=claim', 'interactive']) {
    const page = await pageAt(`${baseUrl}${basePath}/docs/${path}`)
    t.is(page.status, 200, path)
    for (const { origin, pathname } of targetsIn(page))
      if (origin === baseUrl) t.is((await fetch(origin + pathname)).status, 200, `${path} -> ${pathname}`)
  }
})

test('the search finds an endpoint, a code and a phrase of a how-to, and shows nothing unescaped', async (t) => {
  const { baseUrl, logged } = await serve(t, {}, { basePath })
  const firstOf = async (query: string): Promise<string> => {
    const { text } = await pageAt(`${baseUrl}${basePath}/docs/search/?q=${encodeURIComponent(query)}`)
    return /<ul class="codes">\s*<li><a href="([^"]*)"/.exec(text)?.[1] ?? ''
  }
  t.is(await firstOf('create-or-update'), '../endpoints/stageAccount/')
  t.is(await firstOf('invalid phone number'), '../errors/invalid_phone_number/')
  t.is(await firstOf('gap_in_agreement_dates'), '../errors/gap_in_agreement_dates/')
  t.is(await firstOf('Change the signing key'), '../how-to/manage-access/#change-the-signing-key')
  t.is(await firstOf('a phrase of nobody qqq'), '')
  t.is(await firstOf(''), '')
  const { text } = await pageAt(`${baseUrl}${basePath}/docs/search/?q=%3Cscript%3E&q=x`)
  t.false(text.includes('<script'))
  t.false(JSON.stringify(logged).includes('phrase of nobody'))
})

test('whoever looks for a way to undo an import reads that there is none, and no command that destroys', async (t) => {
  const { baseUrl } = await serve(t, {})
  for (const query of ['undo import', 'rollback', 'undo wrong import', 'delete import', 'revert import']) {
    const { text } = await pageAt(`${baseUrl}/docs/search/?q=${encodeURIComponent(query)}`)
    const [, first] = /<ul class="codes">\s*<li><a href="([^"]*)"/.exec(text) ?? []
    t.is(first, '../how-to/import-a-supplier/#before-the-first-import-no-undo-and-no-rollback-yet', query)
    t.notRegex(text, /--rollback|dropped/, query)
  }
})

test('a long query is cut, and answered as quickly', async (t) => {
  const { baseUrl } = await serve(t, {})
  const page = await pageAt(`${baseUrl}/docs/search/?q=${'account%20'.repeat(1000)}`)
  t.is(page.status, 200)
  t.true(page.text.length < 40_000)
})

test('Swagger UI is served with the bytes of the pinned version, its licence and notice', async (t) => {
  const { baseUrl, port } = await serve(t, {})
  const at = new URL('./', import.meta.resolve('swagger-ui-dist/package.json'))
  const { readFile } = await import('node:fs/promises')
  const { version } = JSON.parse(await readFile(new URL('package.json', at), 'utf8')) as { version: string }
  t.is(version, '5.35.0')
  const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE']) {
    const original = digest(await readFile(new URL(name, at)))
    for (const encoding of ['gzip', 'identity']) {
      const answer = await fetch(`${baseUrl}/docs/interactive/${name}`, {
        headers: { 'Accept-Encoding': encoding },
      })
      t.is(answer.status, 200)
      t.is(answer.headers.get('content-encoding'), encoding === 'gzip' ? 'gzip' : null, name)
      t.is(answer.headers.get('x-content-type-options'), 'nosniff')
      t.is(digest(new Uint8Array(await answer.arrayBuffer())), original, `${name} ${encoding}`)
    }
    const head = await fetch(`${baseUrl}/docs/interactive/${name}`, { method: 'HEAD' })
    const etag = head.headers.get('etag') ?? ''
    const again = await rawExchange(port, [
      `GET /docs/interactive/${name} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIf-None-Match: ${etag}\r\n\r\n`,
    ])
    t.regex(again, /^HTTP\/1\.1 304 /)
  }
})

test('the interactive reference may load, ask and run what is its own alone', async (t) => {
  const { baseUrl } = await serve(t, {})
  const { policy, text } = await pageAt(`${baseUrl}/docs/interactive/`)
  t.is(
    policy,
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  t.notRegex(text, /<style|<script>|https?:/)
  const start = await (await fetch(`${baseUrl}/docs/interactive/start.js`)).text()
  t.true(start.includes('BaseLayout') && start.includes('requestInterceptor'))
})

test('there is nothing beside the files and pages that are listed, for GET and HEAD alone', async (t) => {
  const { baseUrl } = await serve(t, {})
  for (const path of [
    'interactive/package.json',
    'interactive/..%2finteractive.json',
    'interactive/%2e%2e%2finteractive.json',
    'interactive/constructor',
    'interactive/start.js.gz',
    'how-to/..%2f..%2fpages',
    'how-to/__proto__/',
    'reference/../pages.json/',
    'reference/errors/',
    'endpoints/constructor/',
    'endpoints/',
  ])
    t.is(await problemIn(t, await fetch(`${baseUrl}/docs/${path}`)), '404 not_found', path)
  for (const path of [
    'search/',
    'interactive/',
    'interactive/LICENSE',
    'how-to/operate/',
    'endpoints/stageAccount/',
  ])
    t.is(
      await problemIn(t, await fetch(`${baseUrl}/docs/${path}`, { method: 'POST', body: 'x' })),
      '405 method_not_allowed',
    )
  const asked = await fetch(`${baseUrl}/docs/how-to/nope/`, { headers: { Accept: 'text/html' } })
  t.is(asked.status, 404)
  t.true((await asked.text()).includes('No such page'))
})

const page = 'https://app.example'

const served = async (t: ExecutionContext, corsOrigins?: readonly string[]): Promise<string> =>
  (await serve(t, {}, corsOrigins && { corsOrigins })).baseUrl

const preflight = (address: string, origin: string) =>
  fetch(`${address}${validatePath}`, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
    },
  })

const corsHeaders = (response: Response): readonly string[] =>
  [...response.headers.keys()].filter((name) => name.startsWith('access-control-'))

test('pages of other origins may do nothing unless they are listed', async (t) => {
  const address = await served(t)
  const asked = await preflight(address, page)
  t.is(asked.status, 405)
  t.deepEqual(corsHeaders(asked), [])
  const answered = await fetch(`${address}${validatePath}`, { method: 'POST', headers: { Origin: page } })
  t.deepEqual([answered.status, corsHeaders(answered)], [401, []])
})

test('a page of a listed origin may send what the API knows, and read the headers that clients need', async (t) => {
  const address = await served(t, ['https://other.example', page])
  const asked = await preflight(address, page)
  t.is(asked.status, 204)
  t.is(asked.headers.get('access-control-allow-origin'), page)
  t.is(asked.headers.get('access-control-allow-credentials'), null)
  t.regex(asked.headers.get('access-control-allow-methods') ?? '', /POST/)
  for (const name of ['Authorization', 'Content-Type', 'Content-Encoding', 'Idempotency-Key'])
    t.regex(asked.headers.get('access-control-allow-headers') ?? '', new RegExp(name))
  const refused = await fetch(`${address}${validatePath}`, { method: 'POST', headers: { Origin: page } })
  t.is(refused.status, 401)
  t.is(refused.headers.get('access-control-allow-origin'), page)
  for (const name of ['Import-Warnings', 'Retry-After', 'Link', 'X-Request-Id', 'Idempotency-Replayed'])
    t.regex(refused.headers.get('access-control-expose-headers') ?? '', new RegExp(name))
  t.regex(refused.headers.get('vary') ?? '', /Origin/)
})

test('an origin that is not listed gets what it got before, and caches are told that answers differ', async (t) => {
  const address = await served(t, [page])
  for (const origin of ['https://app.example.evil', 'http://app.example', 'null', `${page}:8443`]) {
    const asked = await preflight(address, origin)
    t.is(asked.status, 405, origin)
    t.deepEqual(corsHeaders(asked), [])
    t.regex(asked.headers.get('vary') ?? '', /Origin/)
  }
  const plain = await fetch(`${address}${validatePath}`, { method: 'OPTIONS', headers: { Origin: page } })
  t.is(plain.status, 405)
})

test('the address of the service leads to its documentation', async (t) => {
  const follow = async (address: string) => {
    const response = await fetch(address, { redirect: 'manual' })
    return [response.status, response.headers.get('location')]
  }
  t.deepEqual(await follow(await served(t)), [302, '/docs/'])
  const { baseUrl: below } = await serve(t, {}, { basePath })
  t.deepEqual(await follow(below), [302, '/imports/docs/'])
  t.deepEqual(await follow(`${below}/imports`), [302, '/imports/docs/'])
  t.deepEqual(await follow(`${below}/imports/`), [302, '/imports/docs/'])
  t.is((await fetch(below)).status, 200)
  t.is((await fetch(below, { method: 'POST', redirect: 'manual' })).status, 405)
})

test('a code that there is not is a page for browsers, and JSON for all others', async (t) => {
  const address = await served(t)
  for (const slash of ['', '/']) {
    const asked = `${address}/docs/errors/nope${slash}`
    const shown = await fetch(asked, { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    t.is(shown.status, 404)
    t.regex(shown.headers.get('content-type') ?? '', /^text\/html/)
    t.regex(shown.headers.get('content-security-policy') ?? '', /style-src 'sha256-/)
    const up = /<a href="([^"]+)">All codes<\/a>/.exec(await shown.text())?.[1] ?? ''
    t.is((await fetch(new URL(up, asked))).status, 200)
    const told = await fetch(asked)
    t.is(told.status, 404)
    t.like(await told.json(), { code: 'not_found' })
  }
})

test('no page of the codes shows a placeholder', async (t) => {
  const address = await served(t)
  for (const code of ['', 'max_length/', 'invalid/', 'invalid_choice/', 'min_value/', 'too_many_errors/']) {
    const text = await (await fetch(`${address}/docs/errors/${code}`)).text()
    t.notRegex(text, /\{(?:max|min|allowed|form)\}/, code)
  }
})

const code = 'invalid_portuguese_postcode'
const markets = [...bundledMarkets, portugal]

const account = {
  ...accountWith({
    supply_addresses: [
      {
        supply_address: { postal_code: '1000', country: 'PT' },
        customer_at_supply_address_from_date: '2024-01-01',
        supply_points: [],
      },
    ],
  }),
  import_supplier: 'LEVANTE',
}

test('a service with a market pack from outside answers and documents its code over HTTP, one without has no page for it', async (t) => {
  const { useCases } = await service({ settings: { ...defaultServiceSettings, markets } })
  await right(
    useCases.operator.configureSupplier({
      code: 'LEVANTE',
      change: (saved) => ({ ...saved, severities: { [code]: 'error' } }),
    }),
  )
  const { apiKey } = await right(useCases.operator.createApiKey({ organisation }))
  const { token } = await right(useCases.obtainToken({ credentials: { apiKey }, address: '127.0.0.1' }))
  const log = (): void => undefined
  const { baseUrl, close } = await listen(createApp(useCases, { log, markets }), { log })
  t.teardown(close)

  const answer = await fetch(`${baseUrl}${validatePath}`, {
    method: 'POST',
    headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(account),
  })
  const text = await answer.text()
  t.is(answer.status, 400, text)
  t.true(text.includes(`"${code}"`), text)

  const page = await fetch(`${baseUrl}/docs/errors/${code}/`)
  t.is(page.status, 200)
  t.true((await page.text()).includes('has another form than 1000-001'))
  t.true((await (await fetch(`${baseUrl}/docs/errors/`)).text()).includes(code))
  t.true((await (await fetch(`${baseUrl}/openapi.json`)).text()).includes(code))
  t.is((await fetch(`${await served(t)}/docs/errors/${code}/`)).status, 404)
})
