import { createHash } from 'node:crypto'
import type { MarketPack } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import { routePath } from '../address.js'
import { allowMethod } from '../admission.js'
import { refuse } from '../answers.js'
import { type AppContext, pathAsked } from '../context.js'
import type { ApiRouter } from '../mount.js'
import { assetStream, codeGuides, fragmentOf, siteAssets, sitePages, siteSections } from './site-files.js'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')

/** Documentation changes with a new version only, and holds nothing of anybody. */
const cacheControl = 'public, max-age=3600'

/** Headers of a document that anybody may read and keep; they take the place of those for personal data. */
const documentHeaders = (text: string): Readonly<Record<string, string>> => ({
  'Cache-Control': cacheControl,
  ETag: `"${sha256(text).slice(0, 27)}"`,
})

/** Headers of a page: nothing may be loaded or run, only the style of the page itself applies, and it asks the service alone. */
const pageHeaders = (style: string): Readonly<Record<string, string>> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${sha256(style)}'`,
    "base-uri 'none'",
    // The form that searches the documentation.
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
})

/** Headers of the interactive reference: what it loads, asks and runs comes from the service itself, and nothing is inline. */
const interactiveHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

type Headers = Readonly<Record<string, string>>

/** The text of a document, and what it is. */
type MadeDocument = Readonly<{ text: string; headers: Headers }>

/** Makes the document for a path, undefined if there is none. `name`: the last part of the path, such as a code. */
type DocumentAt = (path: string, name: string) => Promise<MadeDocument | undefined>

/** A document ready to be answered. */
type KeptDocument = Readonly<{ bytes: Buffer; headers: Headers }>

type KeptDocumentAt = (path: string, name: string) => Promise<KeptDocument | undefined>

/** More than all pages of a service. A host that has many paths before ours must not fill the memory. */
const mostBytes = 16 * 1024 * 1024

/**
 * The same documents, each made and hashed when its path is first asked for, and kept: however many ask, all are answered with
 * the same bytes.
 */
const keptDocuments = (make: DocumentAt): KeptDocumentAt => {
  const kept = new Map<string, Promise<KeptDocument | undefined>>()
  let bytesKept = 0
  const made = async (path: string, name: string): Promise<KeptDocument | undefined> => {
    const document = await make(path, name)
    // What is not there is not kept: nobody knows how many paths lead to nothing.
    if (document === undefined) return void kept.delete(path)
    const bytes = Buffer.from(document.text)
    bytesKept += bytes.length
    if (bytesKept > mostBytes) {
      kept.clear()
      bytesKept = 0
    }
    return { bytes, headers: { ...document.headers, ...documentHeaders(document.text) } }
  }
  return (path, name) => {
    const known = kept.get(path)
    if (known !== undefined) return known
    const making = made(path, name)
    kept.set(path, making)
    making.catch(() => kept.delete(path))
    return making
  }
}

/** The pages are loaded when somebody first asks for one: most processes never show any. */
const pages = () => import('./pages.js')

/** A page with its headers, undefined where there is none. */
const pageOf = async (
  write: (from: Awaited<ReturnType<typeof pages>>) => string | undefined,
): Promise<MadeDocument | undefined> => {
  const from = await pages()
  const text = write(from)
  return text === undefined ? undefined : { text, headers: pageHeaders(from.pageStyle) }
}

/**
 * The relative link from a path to the first page of the documentation, which lies `depth` levels above it: `../` a level where
 * the path ends with a slash, else one less.
 */
const rootFrom = (path: string, depth: 1 | 2): string =>
  '../'.repeat(path.endsWith('/') ? depth : depth - 1) || './'

const docsPageAt =
  (markets: readonly MarketPack[]): DocumentAt =>
  async (path) => {
    const list = await sitePages()
    return pageOf(({ docsPage }) => docsPage(path.endsWith('/') ? './' : 'docs/', markets, list))
  }

const errorIndexAt =
  (markets: readonly MarketPack[]): DocumentAt =>
  (path) =>
    pageOf(({ errorIndexPage }) => errorIndexPage(path.endsWith('/') ? './' : 'errors/', markets))

const errorPageAt =
  (markets: readonly MarketPack[]): DocumentAt =>
  async (path, name) => {
    const guides = await codeGuides()
    return pageOf(({ errorPage }) => errorPage(name, path.endsWith('/') ? '../' : './', markets, guides))
  }

const endpointPageAt =
  (markets: readonly MarketPack[]): DocumentAt =>
  (path, name) =>
    pageOf(({ endpointPage }) => endpointPage(name, rootFrom(path, 2), markets))

/** A page is looked up in the list of all, and never by its path in the file system. */
const sitePageAt =
  (kind: string): DocumentAt =>
  async (path, name) => {
    const found = (await sitePages()).find((each) => each.path === `${kind}/${name}/`)
    if (found === undefined) return undefined
    const fragment = await fragmentOf(found)
    return pageOf(({ sitePage }) => sitePage(found, fragment, rootFrom(path, 2)))
  }

const interactiveAt: DocumentAt = async (path) => {
  const { interactivePage } = await pages()
  const text = interactivePage(path.endsWith('/') ? './' : 'interactive/', rootFrom(path, 1))
  return { text, headers: interactiveHeaders }
}

const openApiAt =
  (markets: readonly MarketPack[]): DocumentAt =>
  async (path) => {
    const { openApiDocument } = await import('@account-import/http-contract/openapi')
    // The path that was asked for tells where the service is, with all that a host application or proxy put before it.
    const text = JSON.stringify(openApiDocument(path.replace(/\/openapi\.json\/?$/, ''), markets))
    return { text, headers: { 'Content-Type': 'application/json; charset=utf-8' } }
  }

/** Every document of a service with these markets, by its path. */
const documentsOf = (
  markets: readonly MarketPack[],
): readonly (readonly [path: string, documentAt: DocumentAt])[] => [
  ['/docs/', docsPageAt(markets)],
  ['/docs/errors/', errorIndexAt(markets)],
  ['/docs/errors/{code}/', errorPageAt(markets)],
  ['/docs/endpoints/{name}/', endpointPageAt(markets)],
  ['/docs/tutorials/{page}/', sitePageAt('tutorials')],
  ['/docs/how-to/{page}/', sitePageAt('how-to')],
  ['/docs/reference/{page}/', sitePageAt('reference')],
  ['/docs/interactive/', interactiveAt],
  ['/openapi.json', openApiAt(markets)],
]

/** A client that asks for a page gets one, also where there is none. */
const missing = async (ctx: AppContext): Promise<void> => {
  refuse(ctx, { _tag: 'NothingHere' })
  if (ctx.accepts('application/json', 'text/html') !== 'text/html') return
  const path = pathAsked(ctx)
  const isCode = ctx.state.accountImport.route.startsWith('/docs/errors/')
  const page = await pageOf(({ noErrorPage, noPage }) =>
    isCode ? noErrorPage(path.endsWith('/') ? '../' : './') : noPage(rootFrom(path, 2)),
  )
  if (page === undefined) return
  ctx.set(page.headers)
  ctx.body = page.text
}

/** A file of the interactive reference, packed where the client takes that. */
const answerAsset = async (ctx: AppContext, name: string): Promise<void> => {
  const assets = await siteAssets()
  const asset = Object.hasOwn(assets, name) ? assets[name] : undefined
  if (asset === undefined) return missing(ctx)
  const isPacked = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  ctx.status = 200
  ctx.set({
    'Content-Type': asset.type,
    'Cache-Control': cacheControl,
    ETag: asset.etag,
    Vary: 'Accept-Encoding',
  })
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  if (isPacked) ctx.set('Content-Encoding', 'gzip')
  // The length is known of what is not packed alone; a stream without one is sent in chunks.
  if (ctx.method !== 'HEAD') ctx.body = assetStream(name, isPacked)
  if (!isPacked) ctx.length = asset.bytes
}

const searchableOf = async (markets: readonly MarketPack[]) => {
  const { searchable, sectionsOf } = await pages()
  return searchable([...sectionsOf(markets, await codeGuides()), ...(await siteSections())])
}

/** Answers what `q` finds in all pages. A query is never kept, and nothing of it is logged. */
const searchAnswer = (markets: readonly MarketPack[]): ((ctx: AppContext) => Promise<void>) => {
  // Made when somebody first searches; what could not be read is tried again.
  let making: ReturnType<typeof searchableOf> | undefined
  return async (ctx) => {
    making ??= searchableOf(markets)
    making.catch(() => (making = undefined))
    const sections = await making
    const { q = '' } = ctx.query
    const query = typeof q === 'string' ? q : (q[0] ?? '')
    const page = await pageOf(({ searchPage }) => searchPage(query, sections, rootFrom(pathAsked(ctx), 1)))
    if (page === undefined) return
    ctx.set(page.headers)
    ctx.body = page.text
  }
}

const answer = async (ctx: AppContext, documentAt: KeptDocumentAt, name: string): Promise<void> => {
  const document = await documentAt(pathAsked(ctx), name)
  if (document === undefined) return missing(ctx)
  ctx.status = 200
  ctx.set(document.headers)
  if (ctx.fresh) ctx.status = 304
  else ctx.body = document.bytes
}

type AnswerFor = (ctx: AppContext, captures: readonly string[]) => Promise<void>

/** Mounts the documentation of a service with these markets; it needs no token and is the same for everybody. */
export const mountDocs = (
  { router, basePath }: Pick<ApiRouter, 'router' | 'basePath'>,
  markets: readonly MarketPack[],
): void => {
  const routeTo = (path: string, answerFor: AnswerFor): void => {
    router.all(routePath(basePath, path), async (ctx) => {
      ctx.state.accountImport.route = path
      const allowed = allowMethod('GET', ctx.method)
      if (E.isLeft(allowed)) return refuse(ctx, allowed.left)
      await answerFor(ctx, ctx.captures ?? [])
    })
  }
  for (const [path, makeAt] of documentsOf(markets)) {
    const documentAt = keptDocuments(makeAt)
    routeTo(path, (ctx, captures) => answer(ctx, documentAt, captures.join('/')))
  }
  routeTo('/docs/search/', searchAnswer(markets))
  routeTo('/docs/interactive/{file}', (ctx, [name = '']) => answerAsset(ctx, name))
}

/** Leads whoever opens the address of the service to its documentation, wherever a host application has put it. */
export const mountRoot = ({ router, basePath }: Pick<ApiRouter, 'router' | 'basePath'>): void => {
  const lead = (ctx: AppContext, to: string): void => {
    const path = pathAsked(ctx)
    // A router takes // for /, and a browser takes a location that begins with // for another host.
    if (path.endsWith('//')) return refuse(ctx, { _tag: 'NothingHere' })
    ctx.state.accountImport.route = '/'
    const allowed = allowMethod('GET', ctx.method)
    if (E.isLeft(allowed)) return refuse(ctx, allowed.left)
    ctx.redirect(`${path.replace(/\/$/, '')}${to}`)
    ctx.body = null
    ctx.status = 302
  }
  router.all('/', (ctx) => lead(ctx, `${basePath}/docs/`))
  if (basePath !== '') router.all(routePath(basePath, '/'), (ctx) => lead(ctx, '/docs/'))
}
