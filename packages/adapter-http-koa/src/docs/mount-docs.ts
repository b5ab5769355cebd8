import { createHash } from 'node:crypto'
import type { MarketPack } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import { allowMethod, putOpenly, routePath } from '../admission.js'
import { refuse } from '../answers.js'
import { type AppContext, pathAsked } from '../context.js'
import type { ApiRouter } from '../mount.js'
import { fileStream, notFoundPage, type SiteFile, siteFiles } from './site-files.js'

/** Documentation changes with a new version only, and holds nothing of anybody. */
const cacheControl = 'public, max-age=3600'

/** Whatever a page loads, asks and runs comes from the service itself, and nothing is inline. */
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

/** A client that asks for a page gets one, also where there is none. */
const sendNotFound = async (ctx: AppContext, path: string): Promise<void> => {
  refuse(ctx, { _tag: 'NothingHere' })
  if (ctx.accepts('application/json', 'text/html') !== 'text/html') return
  ctx.set({ 'Content-Type': htmlType, 'Content-Security-Policy': pagePolicy })
  ctx.body = await notFoundPage('../'.repeat(path.split('/').length - 1) || './')
}

const leadTo = (ctx: AppContext, address: string): void => {
  ctx.redirect(address)
  ctx.body = null
  ctx.status = 302
}

/** `path`: from the first page on, as it came. It is looked up in the list of files, and never in the file system. */
const answerPath = async (ctx: AppContext, path: string): Promise<void> => {
  const files = await siteFiles()
  const file = Object.hasOwn(files, path) ? files[path] : undefined
  if (file !== undefined) return sendFile(ctx, path, file)
  if (!Object.hasOwn(files, `${path}/`)) return sendNotFound(ctx, path)
  // Links of pages are relative to an address that ends with a slash.
  leadTo(ctx, `${path.replace(/^.*\//, '')}/${ctx.search}`)
}

type KeptDocument = Readonly<{ path: string; bytes: Buffer; etag: string }>

/** The OpenAPI document for the path that it is asked at: this tells where the service is, with all that a host or proxy put before it. */
const openApiAt = async (path: string, markets: readonly MarketPack[]): Promise<KeptDocument> => {
  const { openApiDocument } = await import('@account-import/http-contract/openapi')
  const text = JSON.stringify(openApiDocument(path.replace(/\/openapi\.json\/?$/, ''), markets))
  const hash = createHash('sha256').update(text).digest('base64').slice(0, 27)
  return { path, bytes: Buffer.from(text), etag: `"${hash}"` }
}

/** Answers the OpenAPI document. The one for the latest path is kept: nearly always there is no other. */
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
 * Mounts the documentation, and the OpenAPI document of a service with these markets; they need no token and are the same for everybody.
 * Whoever opens the address of the service is led to its documentation, wherever a host application has put it.
 */
export const mountDocs = (
  { router, basePath }: Pick<ApiRouter, 'router' | 'basePath'>,
  markets: readonly MarketPack[],
): void => {
  const docs = `${basePath}/docs`
  putOpenly(router, `${routePath(basePath, '/docs')}{/*path}`, '/docs/', async (ctx) =>
    ctx.path === docs ? leadTo(ctx, 'docs/') : answerPath(ctx, ctx.path.slice(docs.length + 1)),
  )
  putOpenly(router, routePath(basePath, '/openapi.json'), '/openapi.json', openApiAnswer(markets))
  const lead = (ctx: AppContext, to: string): void => {
    const path = pathAsked(ctx)
    // A router takes // for /, and a browser takes a location that begins with // for another host.
    if (path.endsWith('//')) return refuse(ctx, { _tag: 'NothingHere' })
    ctx.state.accountImport.route = '/'
    const allowed = allowMethod('GET', ctx.method)
    if (E.isLeft(allowed)) return refuse(ctx, allowed.left)
    leadTo(ctx, `${path.replace(/\/$/, '')}${to}`)
  }
  router.all('/', (ctx) => lead(ctx, `${basePath}/docs/`))
  if (basePath !== '') router.all(routePath(basePath, '/'), (ctx) => lead(ctx, '/docs/'))
}
