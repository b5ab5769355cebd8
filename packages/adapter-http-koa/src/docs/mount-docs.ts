import type { MarketPack } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import { routePath } from '../address.js'
import { allowMethod } from '../admission.js'
import { refuse } from '../answers.js'
import { type AppContext, pathAsked } from '../context.js'
import type { ApiRouter } from '../mount.js'
import {
  cacheControl,
  documentsOf,
  type KeptDocumentAt,
  keptDocuments,
  pageOf,
  pages,
  rootFrom,
} from './documents.js'
import { assetStream, codeGuides, siteAssets, siteSections } from './site-files.js'

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
