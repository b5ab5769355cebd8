import type { MarketPack } from '@account-import/core'
import type { AppContext } from '../context.js'
import { pathAsked } from '../path-asked.js'
import { pageOf, pages } from './page-of.js'
import { rootFrom } from './root-from.js'
import { siteSections } from './site-files.js'

const searchableOf = async (markets: readonly MarketPack[]) => {
  const { searchable, sectionsOf } = await pages()
  return searchable([...sectionsOf(markets), ...(await siteSections())])
}

/** Answers what `q` finds in all pages. A query is never kept, and nothing of it is logged. */
export const searchAnswer = (markets: readonly MarketPack[]): ((ctx: AppContext) => Promise<void>) => {
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
