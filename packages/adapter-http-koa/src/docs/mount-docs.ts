import type { MarketPack } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import type { AppContext } from '../context.js'
import { allowMethod } from '../allow-method.js'
import { refuse } from '../answers.js'
import type { ApiRouter } from '../mount.js'
import { pathAsked } from '../path-asked.js'
import { routePath } from '../route-path.js'
import { keptDocuments, type DocumentAt, type KeptDocumentAt, type MadeDocument } from './kept-documents.js'
import { pageHeaders } from './page-headers.js'

/** The pages are loaded when somebody first asks for one: most processes never show any. */
const pages = () => import('@account-import/http-contract/docs')

const pageOf = async (
  write: (from: Awaited<ReturnType<typeof pages>>) => string | undefined,
): Promise<MadeDocument | undefined> => {
  const from = await pages()
  const text = write(from)
  return text === undefined ? undefined : { text, headers: pageHeaders(from.pageStyle) }
}

const docsPageAt: DocumentAt = (path) =>
  pageOf(({ docsPage }) => docsPage(path.endsWith('/') ? './' : 'docs/'))

const errorIndexAt =
  (markets: readonly MarketPack[]): DocumentAt =>
  (path) =>
    pageOf(({ errorIndexPage }) => errorIndexPage(path.endsWith('/') ? './' : 'errors/', markets))

const errorPageAt =
  (markets: readonly MarketPack[]): DocumentAt =>
  (path, name) =>
    pageOf(({ errorPage }) => errorPage(name, path.endsWith('/') ? '../' : './', markets))

const openApiAt =
  (markets: readonly MarketPack[]): DocumentAt =>
  async (path) => {
    const { openApiDocument } = await import('@account-import/http-contract/openapi')
    // The path that was asked for tells where the service is, with all that a host application or proxy put before it.
    const text = JSON.stringify(openApiDocument(path.replace(/\/openapi\.json\/?$/, ''), markets))
    return { text, headers: { 'Content-Type': 'application/json; charset=utf-8' } }
  }

/** Who asks for a page gets one, also where there is none. */
const missing = async (ctx: AppContext): Promise<void> => {
  refuse(ctx, { _tag: 'NothingHere' })
  if (ctx.accepts('application/json', 'text/html') !== 'text/html') return
  const page = await pageOf(({ noErrorPage }) => noErrorPage(pathAsked(ctx).endsWith('/') ? '../' : './'))
  if (page === undefined) return
  ctx.set(page.headers)
  ctx.body = page.text
}

const answer = async (ctx: AppContext, documentAt: KeptDocumentAt, name: string): Promise<void> => {
  const allowed = allowMethod('GET', ctx.method)
  if (E.isLeft(allowed)) return refuse(ctx, allowed.left)
  const document = await documentAt(pathAsked(ctx), name)
  if (document === undefined) return missing(ctx)
  ctx.status = 200
  ctx.set(document.headers)
  if (ctx.fresh) ctx.status = 304
  else ctx.body = document.bytes
}

/** Mounts the documentation of a service with these markets; it needs no token and is the same for everybody. */
export const mountDocs = (
  { router, basePath }: Pick<ApiRouter, 'router' | 'basePath'>,
  markets: readonly MarketPack[],
): void => {
  const documents: readonly (readonly [path: string, documentAt: DocumentAt])[] = [
    ['/docs/', docsPageAt],
    ['/docs/errors/', errorIndexAt(markets)],
    ['/docs/errors/{code}/', errorPageAt(markets)],
    ['/openapi.json', openApiAt(markets)],
  ]
  for (const [path, makeAt] of documents) {
    const documentAt = keptDocuments(makeAt)
    router.all(routePath(basePath, path), async (ctx) => {
      ctx.state.accountImport.route = path
      const captures: readonly string[] = ctx.captures ?? []
      await answer(ctx, documentAt, captures[0] ?? '')
    })
  }
}
