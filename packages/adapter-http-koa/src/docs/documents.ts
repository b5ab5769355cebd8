import type { MarketPack } from '@account-import/core'
import type { DocumentAt } from './kept-documents.js'
import { interactiveHeaders } from './page-headers.js'
import { pageOf, pages } from './page-of.js'
import { rootFrom } from './root-from.js'
import { fragmentOf, sitePages } from './site-files.js'

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
  (path, name) =>
    pageOf(({ errorPage }) => errorPage(name, path.endsWith('/') ? '../' : './', markets))

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
export const documentsOf = (
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
