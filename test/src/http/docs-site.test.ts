import { createHash } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { createApp } from '@account-import/adapter-http-koa'
import { listen } from '@account-import/adapter-http-koa/testing'
import { bundledMarkets, catalogue, defaultServiceSettings } from '@account-import/core'
import { published } from '../support/published.js'
import { filesBelow } from '../support/repository.js'
import { type Page, pageAt } from './support/page-at.js'
import { rawExchange, statusesIn } from './support/raw-exchange.js'
import { problemIn, serve, validatePath } from './support/serve.js'
import { portugal } from '../support/portugal.js'
import { organisation, right, service } from '../use-cases/support/service.js'
import { accountWith } from '../validation/support.js'

const basePath = '/imports'

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

test('every link of every page leads to an existing page and anchor, below a base path too', async (t) => {
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
  const otherwise = /README\.md$|reference\/(?:endpoints|errors)\.md$/
  for (const path of sources.filter((each) => each.endsWith('.md') && !otherwise.test(each)))
    t.true(found.includes(`/${path.replace(/\.md$/, '/')}`), path)
  const { paths } = (await (await fetch(`${baseUrl}${basePath}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  for (const { operationId } of Object.values(paths).flatMap((methods) => Object.values(methods)))
    t.true(found.includes(`/docs/endpoints/${operationId}/`), operationId)
})

test('every page has a strict policy, a language, landmarks and ordered headings, and loads only files of the service, with nothing inline', async (t) => {
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
      ['<main>', '<nav aria-label="Breadcrumb">', '<footer>'].filter((part) => text.split(part).length !== 2),
      [],
      address,
    )
    const navigations = [...text.matchAll(/<nav(?: class="\w+")? aria-label="([^"]+)">/g)].map(
      ([, name]) => name,
    )
    t.is(navigations.length, text.split('<nav').length - 1, address)
    t.is(new Set(navigations).size, navigations.length, address)
    t.true(isInOrder(headingsIn(page)), `${address}: ${headingsIn(page).join()}`)
    const ids = [...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    t.is(new Set(ids).size, ids.length, address)
    t.notRegex(
      text,
      /<[^>]*\s(?:style|on\w+)=|"javascript:|"docs:|&lt;!--|\{(?:max|min|allowed|form)\}/,
      address,
    )
    if (address.endsWith('/interactive/')) continue
    t.notRegex(text, /<iframe|<style|<script>/i, address)
    t.deepEqual(
      [...text.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]*)"/g)].map(([, from = '']) =>
        from.replace(/^(?:\.\.?\/)*(?:docs\/)?/, ''),
      ),
      ['data:,', 'site.css', 'site.js'],
      address,
    )
    t.regex(text, /<form[^>]* role="search" action="(?:\.\.?\/)*(?:docs\/)?search\/"/, address)
  }
})

/** Pages of the reference by the names that the README uses. */
const named = ['reference', 'reference/errors', 'reference/endpoints', 'reference/errors/']

test('links of pages work without a slash at the end of the address too', async (t) => {
  const { baseUrl } = await serve(t, {}, { basePath })
  for (const path of [
    'endpoints/stageAccount',
    'how-to/operate',
    'search?q=claim',
    'interactive',
    ...named,
  ]) {
    const page = await pageAt(`${baseUrl}${basePath}/docs/${path}`)
    t.is(page.status, 200, path)
    for (const { origin, pathname } of targetsIn(page))
      if (origin === baseUrl) t.is((await fetch(origin + pathname)).status, 200, `${path} -> ${pathname}`)
  }
})

type Section = Readonly<{ href: string }>

type SearchScript = Readonly<{ search: (query: string, sections: readonly Section[]) => readonly Section[] }>

/** The search of the pages, as a browser gets it from the service. */
const searchOf = async (t: ExecutionContext) => {
  const { baseUrl } = await serve(t, {})
  const [script, index] = await Promise.all(
    ['search.js', 'search.json'].map(async (name) => (await fetch(`${baseUrl}/docs/${name}`)).text()),
  )
  const { search } = (await import(
    `data:text/javascript,${encodeURIComponent(script ?? '')}`
  )) as SearchScript
  const sections = JSON.parse(index ?? '') as readonly Section[]
  return (query: string): readonly string[] => search(query, sections).map(({ href }) => href)
}

test('the search finds an endpoint, a code, a phrase of a how-to and common words', async (t) => {
  const found = await searchOf(t)
  t.is(found('create-or-update')[0], 'endpoints/stageAccount/')
  t.is(found('invalid phone number')[0], 'errors/invalid_phone_number/')
  t.is(found('gap_in_agreement_dates')[0], 'errors/gap_in_agreement_dates/')
  t.is(found('Change the signing key')[0], 'how-to/manage-access/#change-the-signing-key')
  t.true(found('k8s').includes(found('kubernetes')[0] ?? 'a page'))
  t.deepEqual([found('a phrase of nobody qqq'), found('')], [[], []])
})

test('the search for undoing an import finds the page about it', async (t) => {
  const found = await searchOf(t)
  for (const query of ['undo import', 'rollback', 'undo wrong import', 'delete import', 'revert import'])
    t.regex(found(query)[0] ?? '', /^how-to\/(?:undo-an-import|import-a-supplier)\//, query)
})

test('a long query is cut, and every result is a page', async (t) => {
  const found = await searchOf(t)
  const results = found('account '.repeat(1000))
  t.is(results.length, 30)
})

test('Swagger UI has the bytes of the pinned version, its licence and notice', async (t) => {
  const { baseUrl } = await serve(t, {})
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
  }
})

test('the interactive reference may load, request and run its own files only', async (t) => {
  const { baseUrl } = await serve(t, {})
  const { policy, text } = await pageAt(`${baseUrl}/docs/interactive/`)
  t.is(
    policy,
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  )
  t.notRegex(text, /<style|<script>|https?:/)
  const start = await (await fetch(`${baseUrl}/docs/interactive/start.js`)).text()
  t.true(start.includes('BaseLayout') && start.includes('requestInterceptor'))
})

test('every path that is not listed as a file or page is 404', async (t) => {
  const { baseUrl } = await serve(t, {})
  const codes = ['nothing', 'REQUIRED', 'constructor', '__proto__', 'required%00', 'required/more']
  for (const path of [
    'files.json',
    'codes.json',
    'not-found.html',
    'index.html',
    'how-to/operate/index.html',
    'interactive/package.json',
    'interactive/..%2ffiles.json',
    'interactive/%2e%2e%2ffiles.json',
    'interactive/constructor',
    'interactive/start.js.gz',
    'how-to/..%2f..%2ffiles.json',
    'how-to/__proto__/',
    'reference/../files.json/',
    'endpoints/constructor/',
    'endpoints/',
    ...codes.map((code) => `errors/${code}/`),
  ])
    t.is(await problemIn(t, await fetch(`${baseUrl}/docs/${path}`)), '404 not_found', path)
  const asked = await fetch(`${baseUrl}/docs/how-to/nope/`, { headers: { Accept: 'text/html' } })
  t.is(asked.status, 404)
  t.true((await asked.text()).includes('No such page'))
})

const documents = [
  '',
  'errors',
  'errors/required',
  'search/',
  'interactive/',
  'interactive/LICENSE',
  'how-to/operate/',
]

test('documents accept GET and HEAD only', async (t) => {
  const { baseUrl } = await serve(t, {})
  for (const address of ['/openapi.json', ...documents.map((path) => `/docs/${path}`)]) {
    const answer = await fetch(baseUrl + address, { method: 'POST', body: '{}' })
    t.is(answer.headers.get('allow'), 'GET, HEAD', address)
    t.is(await problemIn(t, answer), '405 method_not_allowed')
    const [head, got] = [await fetch(baseUrl + address, { method: 'HEAD' }), await fetch(baseUrl + address)]
    t.deepEqual([head.status, await head.text()], [200, ''], address)
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control'])
      t.is(head.headers.get(name), got.headers.get(name), `${address} ${name}`)
  }
})

/** The answer to a client that has the document already, by this tag. It does not use fetch, which adds headers for caches. */
const askedAgain = (port: number, path: string, known: string): Promise<string> =>
  rawExchange(port, [
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIf-None-Match: ${known}\r\n\r\n`,
  ])

test('a document may be cached, and is sent again only after a change', async (t) => {
  const { baseUrl, port } = await serve(t, {})
  for (const path of ['/docs/errors/required/', '/openapi.json', '/docs/interactive/swagger-ui.css']) {
    const { headers } = await fetch(baseUrl + path)
    t.regex(headers.get('cache-control') ?? '', /^public, max-age=/)
    const etag = headers.get('etag') ?? ''
    const unchanged = await askedAgain(port, path, etag)
    t.deepEqual(statusesIn(unchanged), [304])
    t.true(unchanged.includes(`ETag: ${etag}`) && unchanged.endsWith('\r\n\r\n'), path)
    t.deepEqual(statusesIn(await askedAgain(port, path, '"other"')), [200])
  }
})

test('an error page has everything that the catalogue has of its code', async (t) => {
  const { text } = await pageAt(`${await served(t)}/docs/errors/gap_in_agreement_dates/`)
  for (const part of [
    catalogue.gap_in_agreement_dates.detail,
    'Fix the data',
    'any success as a warning; 400 when it is raised to error',
    'account-import supplier configure SUPPLIER --severity gap_in_agreement_dates=error|warn|off',
    'supply_addresses.N.supply_points.N.agreements.N.effective_from',
    'First day that the contract covers.',
    '&quot;effective_to&quot;: &quot;2024-12-31&quot;',
    '<a href="../../errors/agreement_dates_overlap/">',
  ])
    t.true(text.includes(part), part)
})

const served = async (t: ExecutionContext): Promise<string> => (await serve(t, {})).baseUrl

test('an unknown code gets a page in a browser and JSON otherwise', async (t) => {
  const address = await served(t)
  for (const slash of ['', '/']) {
    const asked = `${address}/docs/errors/nope${slash}`
    const shown = await fetch(asked, { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    t.is(shown.status, 404)
    t.regex(shown.headers.get('content-type') ?? '', /^text\/html/)
    t.regex(shown.headers.get('content-security-policy') ?? '', /style-src 'self'/)
    const up = /<a href="([^"]+)">All codes<\/a>/.exec(await shown.text())?.[1] ?? ''
    t.is((await fetch(new URL(up, asked))).status, 200)
    const told = await fetch(asked)
    t.is(told.status, 404)
    t.like(await told.json(), { code: 'not_found' })
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

test('a code of an external market pack is returned over HTTP and listed in the OpenAPI document', async (t) => {
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

  t.true((await (await fetch(`${baseUrl}/openapi.json`)).text()).includes(code))
  t.is((await fetch(`${baseUrl}/docs/errors/${code}/`)).status, 404)
})
