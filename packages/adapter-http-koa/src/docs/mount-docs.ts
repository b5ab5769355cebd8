import { createHash } from 'node:crypto'
import type { MarketPack } from '@account-import/core'
import { openly, putOpenly, routePath } from '../admission.js'
import { refuse } from '../answers.js'
import { type AppContext, pathAsked } from '../context.js'
import type { ApiRouter } from '../mount.js'
import { servicePage, type ServicePageParts } from './service-page.js'
import { fileStream, notFoundPage, type SiteFile, siteFiles } from './site-files.js'

/** Documentation changes only with a new version, and contains no personal data. */
const cacheControl = 'public, max-age=3600'

/** A page loads, requests and runs only resources of the service itself. Only images may be inline. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export const htmlType = 'text/html; charset=utf-8'

const sendFile = (ctx: AppContext, path: string, { type, etag, bytes, packedBytes }: SiteFile): void => {
  ctx.status = 200
  ctx.set({ 'Content-Type': type, 'Cache-Control': cacheControl, ETag: etag })
  ctx.vary('Accept-Encoding')
  if (type === htmlType) ctx.set('Content-Security-Policy', pagePolicy)
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  const isPacked = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  if (isPacked) ctx.set('Content-Encoding', 'gzip')
  if (ctx.method !== 'HEAD') ctx.body = fileStream(path, isPacked)
  ctx.length = isPacked ? packedBytes : bytes
}

/** Answers 404, with a page if the client accepts HTML. */
const sendNotFound = async (ctx: AppContext, path: string): Promise<void> => {
  refuse(ctx, { _tag: 'NothingHere' })
  if (ctx.accepts('application/json', 'text/html') !== 'text/html') return
  ctx.set({ 'Content-Type': htmlType, 'Content-Security-Policy': pagePolicy })
  ctx.body = await notFoundPage('../'.repeat(path.split('/').length - 1) || './')
}

const redirectTo = (ctx: AppContext, address: string): void => {
  ctx.redirect(address)
  ctx.body = null
  ctx.status = 302
}

/** Pages by earlier names, and by their names in the repository, with the pages that show them here. */
const moved: ReadonlyMap<string, string> = new Map([
  ['how-to/watch-a-run/', '../use-the-console/'],
  ['reference/', '../#reference'],
  ['reference/errors/', '../../errors/'],
  ['reference/endpoints/', '../../#endpoints'],
])

/** `path`: undecoded, relative to the first page. It is looked up in the list of files, and never in the file system. */
const answerPath = async (ctx: AppContext, path: string): Promise<void> => {
  const files = await siteFiles()
  const file = Object.hasOwn(files, path) ? files[path] : undefined
  if (file !== undefined) return sendFile(ctx, path, file)
  const place = moved.get(path)
  if (place !== undefined) return redirectTo(ctx, place)
  if (!Object.hasOwn(files, `${path}/`) && !moved.has(`${path}/`)) return sendNotFound(ctx, path)
  // Links of pages are relative to an address that ends with a slash.
  redirectTo(ctx, `${path.replace(/^.*\//, '')}/${ctx.search}`)
}

type KeptDocument = Readonly<{ path: string; bytes: Buffer; etag: string }>

/** The OpenAPI document for a requested path, which contains the base path and the prefix of a host or proxy. */
const openApiAt = async (path: string, markets: readonly MarketPack[]): Promise<KeptDocument> => {
  const { openApiDocument } = await import('@account-import/http-contract/openapi')
  const text = JSON.stringify(openApiDocument(path.replace(/\/openapi\.json\/?$/, ''), markets))
  const hash = createHash('sha256').update(text).digest('base64').slice(0, 27)
  return { path, bytes: Buffer.from(text), etag: `"${hash}"` }
}

/** Answers the OpenAPI document. Caches that of the latest path, which is nearly always the only path. */
const openApiAnswer = (markets: readonly MarketPack[]): ((ctx: AppContext) => Promise<void>) => {
  let kept: KeptDocument | undefined
  return async (ctx) => {
    const path = pathAsked(ctx)
    if (kept?.path !== path) kept = await openApiAt(path, markets)
    const { bytes, etag } = kept
    ctx.status = 200
    ctx.set({
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': cacheControl,
      ETag: etag,
    })
    if (ctx.fresh) ctx.status = 304
    else ctx.body = bytes
  }
}

/**
 * Mounts the documentation, and the OpenAPI document of a service with these markets. Both need no token and are the same for
 * every client. The address of the service, also under the prefix of a host application, has the page about this service.
 */
export const mountDocs = (
  { router, basePath }: Pick<ApiRouter, 'router' | 'basePath'>,
  markets: readonly MarketPack[],
  service: ServicePageParts,
): void => {
  const docs = `${basePath}/docs`
  putOpenly(router, `${routePath(basePath, '/docs')}{/*path}`, '/docs/', async (ctx) =>
    ctx.path === docs ? redirectTo(ctx, 'docs/') : answerPath(ctx, ctx.path.slice(docs.length + 1)),
  )
  putOpenly(router, routePath(basePath, '/openapi.json'), '/openapi.json', openApiAnswer(markets))
  const home = openly('/', async (ctx) => {
    const path = pathAsked(ctx)
    // Links of the page are relative to an address that ends with a slash.
    if (!path.endsWith('/')) return redirectTo(ctx, `${path}/`)
    ctx.set({ 'Content-Type': htmlType, 'Content-Security-Policy': pagePolicy })
    ctx.body = await servicePage(service)
  })
  // The router matches // as /, and a browser reads a location that begins with // as another host.
  const at = (root: string, answer: typeof home): unknown =>
    router.all(routePath(root, '') || '/', (ctx, next) => (ctx.path.endsWith('//') ? next() : answer(ctx)))
  at(basePath, home)
  if (basePath !== '')
    at(
      '',
      openly('/', (ctx) => redirectTo(ctx, `${pathAsked(ctx).replace(/\/$/, '')}${basePath}/`)),
    )
}
